// The end-user sessions, the answers about them, and the pending logout notifications. A client is referenced by its
// ordinal, because its id may be registered again; cookies and confirmation pages are stored as hashes. The database
// computes the end of a session and revokes its authorizations, so that no statement can omit it.
export const logout = `
CREATE TABLE end_user_sessions (
  ordinal INTEGER PRIMARY KEY,
  cookie_hash TEXT NOT NULL UNIQUE,
  sid TEXT NOT NULL UNIQUE,
  sub TEXT NOT NULL,
  auth_time INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  idle_lifetime INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  version INTEGER NOT NULL,
  over_at INTEGER NOT NULL GENERATED ALWAYS AS (min(used_at + idle_lifetime, expires_at)) VIRTUAL
) STRICT;

CREATE INDEX end_user_sessions_by_sub ON end_user_sessions (sub, auth_time);
CREATE INDEX end_user_sessions_by_end ON end_user_sessions (over_at);

CREATE TABLE session_clients (
  session INTEGER NOT NULL REFERENCES end_user_sessions (ordinal) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  sid TEXT NOT NULL,
  PRIMARY KEY (session, place)
) STRICT, WITHOUT ROWID;

CREATE INDEX session_clients_by_client ON session_clients (client);

CREATE TABLE answered_dialogs (
  dialog_hash TEXT PRIMARY KEY,
  answer TEXT NOT NULL,
  remembered_until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX answered_dialogs_by_end ON answered_dialogs (remembered_until);

CREATE TABLE logout_notices (
  ordinal INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  uri TEXT NOT NULL,
  alg TEXT NOT NULL,
  sub TEXT NOT NULL,
  sid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  note TEXT NOT NULL
) STRICT;

CREATE INDEX logout_notices_due ON logout_notices (due_at) WHERE failed = 0;
CREATE INDEX logout_notices_failed ON logout_notices (ordinal) WHERE failed = 1;
CREATE INDEX logout_notices_by_creation ON logout_notices (created_at);
CREATE INDEX logout_notices_by_client ON logout_notices (client);

ALTER TABLE authorizations ADD COLUMN session TEXT;
ALTER TABLE authorizations ADD COLUMN offline INTEGER NOT NULL DEFAULT 0;

CREATE INDEX authorizations_by_session ON authorizations (session) WHERE session IS NOT NULL;

CREATE TRIGGER revoke_with_session AFTER DELETE ON end_user_sessions BEGIN
  DELETE FROM authorizations WHERE session = OLD.sid AND offline = 0;
END;
`
