// The days on which uses were recorded, and what the wait of an unused client needs beside them: since when it waits, if not
// since its registration, and since when and with which notice it is parked. No day before this migration is an observed
// one, and no client that is parked already has a notice yet.
export const observedDays = `
CREATE TABLE observed_days (day INTEGER PRIMARY KEY) STRICT;
ALTER TABLE clients ADD COLUMN waits_since INTEGER;
ALTER TABLE clients ADD COLUMN parked_at INTEGER;
ALTER TABLE clients ADD COLUMN notice INTEGER;
DROP INDEX clients_unused_open;
DROP INDEX clients_parked;
CREATE INDEX clients_unused_open ON clients (coalesce(waits_since, client_id_issued_at), ordinal) WHERE unused_open = 1;
CREATE INDEX clients_parked ON clients (coalesce(waits_since, client_id_issued_at), ordinal, parked_at, notice)
  WHERE unused_open = 2 AND suspended_at IS NULL AND registered_by = 'nobody' AND imported = 0;
CREATE INDEX clients_noticed ON clients (coalesce(notice, 1000000))
  WHERE unused_open = 2 AND suspended_at IS NULL AND registered_by = 'nobody' AND imported = 0;
DROP INDEX clients_filtered;
CREATE INDEX clients_filtered ON clients
  (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer, unused_open);
`
