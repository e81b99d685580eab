// The artefacts of the authorization server, the consents of end-users, and the owners of initial access tokens. All
// refer to a client by its ordinal, and end with it; an artefact refers to its end-user session as well. A payload is
// sealed with the other columns as context, apart from the uses.
export const artefacts = `
CREATE TABLE artefacts (
  ordinal INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  name TEXT,
  client INTEGER REFERENCES clients (ordinal) ON DELETE CASCADE,
  grant_hash TEXT,
  session TEXT REFERENCES end_user_sessions (sid) ON DELETE CASCADE,
  sub TEXT,
  predecessor TEXT,
  expires_at INTEGER NOT NULL,
  removable_from INTEGER NOT NULL,
  consumed_at INTEGER,
  successor TEXT,
  payload TEXT NOT NULL,
  UNIQUE (kind, hash)
) STRICT;

CREATE INDEX artefacts_by_name ON artefacts (kind, name, expires_at DESC, hash) WHERE name IS NOT NULL;
CREATE INDEX artefacts_by_client ON artefacts (client, sub) WHERE client IS NOT NULL;
CREATE INDEX artefacts_by_grant ON artefacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX artefacts_by_session ON artefacts (session) WHERE session IS NOT NULL;
CREATE INDEX artefacts_by_end ON artefacts (removable_from);

CREATE TABLE consents (
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (client, sub)
) STRICT, WITHOUT ROWID;

CREATE INDEX consents_by_sub ON consents (sub, given_at, client);

ALTER TABLE initial_access_tokens ADD COLUMN owner INTEGER REFERENCES clients (ordinal) ON DELETE CASCADE;

CREATE INDEX initial_access_tokens_by_owner ON initial_access_tokens (owner) WHERE owner IS NOT NULL;
`
