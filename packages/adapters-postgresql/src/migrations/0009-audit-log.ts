// The audit log: rows that are written with their changes, and the signed checkpoints that list them. mac is the keyed
// digest of the entry, so that a row is written once, and only by a service with the keys. Changes by instances of the
// previous release have no rows.
// The indexes cost a registration little: rows of one time are beside each other in the unique one, and that of clients
// is written with the checkpoint, for many rows at once.
export const auditLog = `
CREATE TABLE audit_rows (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  client_id text COLLATE "C",
  actor text COLLATE "C" NOT NULL,
  entry text NOT NULL,
  mac text COLLATE "C" NOT NULL,
  checkpoint bigint,
  UNIQUE (at, mac)
);
CREATE INDEX audit_rows_client ON audit_rows (client_id, ordinal)
  WHERE client_id IS NOT NULL AND checkpoint IS NOT NULL;
CREATE INDEX audit_rows_unlinked ON audit_rows (ordinal) WHERE checkpoint IS NULL;

CREATE TABLE audit_checkpoints (
  number bigint PRIMARY KEY,
  at bigint NOT NULL,
  lowest bigint NOT NULL,
  highest bigint NOT NULL,
  jws text NOT NULL
);
`
