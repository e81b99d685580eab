// The decisions of the domain are stored in place of SQL that computes them: the end of a session, and whether a client
// is open and unused. Clients of a session are used. The statement that ends a session revokes its authorizations, in
// place of a trigger.
export const factsOfTheDomain = `
ALTER TABLE clients ADD COLUMN unused_open INTEGER NOT NULL DEFAULT 0;
UPDATE clients SET unused_open = 1
  WHERE registered_by = 'nobody' AND used = 0 AND ordinal NOT IN (SELECT client FROM session_clients);
DROP INDEX clients_unused_open;
ALTER TABLE clients DROP COLUMN used;
CREATE INDEX clients_unused_open ON clients (ordinal) WHERE unused_open = 1;

DROP TRIGGER revoke_with_session;
DROP INDEX end_user_sessions_by_end;
ALTER TABLE end_user_sessions DROP COLUMN over_at;
ALTER TABLE end_user_sessions ADD COLUMN over_at INTEGER NOT NULL DEFAULT 0;
UPDATE end_user_sessions SET over_at = min(used_at + idle_lifetime, expires_at);
CREATE INDEX end_user_sessions_by_end ON end_user_sessions (over_at);
`
