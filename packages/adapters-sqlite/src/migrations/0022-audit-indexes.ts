// What finds rows of the audit log among millions: each index has the order of its list, so that no statement reads more
// rows than it returns. The name is that of an operator token; rows of before have none.
// A request writes the one by checkpoints at its end; the others are written with the checkpoint, for many rows at once.
export const auditIndexes = `
ALTER TABLE audit_rows ADD COLUMN actor_name TEXT;
DROP INDEX audit_rows_unlinked;
CREATE INDEX audit_rows_checkpoint ON audit_rows (checkpoint, ordinal);
DROP INDEX audit_rows_client;
CREATE INDEX audit_rows_client ON audit_rows (client_id, at, ordinal)
  WHERE client_id IS NOT NULL AND checkpoint IS NOT NULL;
CREATE INDEX audit_rows_actor ON audit_rows (actor, at, ordinal) WHERE checkpoint IS NOT NULL;
CREATE INDEX audit_rows_actor_name ON audit_rows (actor_name, at, ordinal)
  WHERE actor_name IS NOT NULL AND checkpoint IS NOT NULL;
`
