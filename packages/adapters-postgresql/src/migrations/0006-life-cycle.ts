// The life cycle of clients: the UTC day of the last use; since when the operator suspends a client; what finds a
// repeated registration; and what is left of removed clients. unused_open is 2 for a parked client. Open clients that
// were used before count as used now. The previous release goes on: it cannot read a suspended client.
export const lifeCycle = `
ALTER TABLE clients ADD COLUMN used_at bigint;
ALTER TABLE clients ADD COLUMN suspended_at bigint;
ALTER TABLE clients ADD COLUMN fingerprint text COLLATE "C";
UPDATE clients SET used_at = extract(epoch FROM now())::bigint / 86400 * 86400
  WHERE registered_by = 'nobody' AND unused_open = 0;
CREATE INDEX clients_parked ON clients (ordinal) WHERE unused_open = 2;
CREATE UNIQUE INDEX clients_repeated ON clients (fingerprint) WHERE fingerprint IS NOT NULL AND unused_open = 1;

CREATE TABLE tombstones (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  until bigint NOT NULL
);
`
