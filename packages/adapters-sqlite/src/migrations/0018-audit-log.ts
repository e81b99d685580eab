// The audit log: rows that are written with their changes, and the signed checkpoints that list them. mac is the keyed
// digest of the entry, so that a row is written once, and only by a service with the keys.
// The indexes cost a registration little: rows of one time are beside each other in the unique one, and that of clients
// is written with the checkpoint, for many rows at once.
export const auditLog = `
CREATE TABLE audit_rows (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  client_id TEXT,
  actor TEXT NOT NULL,
  entry TEXT NOT NULL,
  mac TEXT NOT NULL,
  checkpoint INTEGER,
  UNIQUE (at, mac)
) STRICT;
CREATE INDEX audit_rows_client ON audit_rows (client_id, ordinal) WHERE client_id IS NOT NULL AND checkpoint IS NOT NULL;
CREATE INDEX audit_rows_unlinked ON audit_rows (ordinal) WHERE checkpoint IS NULL;

CREATE TABLE audit_checkpoints (
  number INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  lowest INTEGER NOT NULL,
  highest INTEGER NOT NULL,
  jws TEXT NOT NULL
) STRICT;
`
