// The clients, clustered by the order of registration. AUTOINCREMENT, because records of a removed client must never
// belong to a later one. A registration access token is stored as its hash, for comparison, and sealed.
export const clients = `
CREATE TABLE clients (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  client_id_issued_at INTEGER NOT NULL,
  client_secret TEXT,
  client_secret_expires_at INTEGER,
  registration_access_token TEXT NOT NULL,
  registration_access_token_hash TEXT NOT NULL,
  privileges TEXT NOT NULL,
  metadata TEXT NOT NULL
) STRICT;

CREATE TABLE initial_access_tokens (
  hash TEXT PRIMARY KEY,
  scope TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  spent INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens (expires_at);

CREATE TABLE authorizations (
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  details TEXT NOT NULL,
  PRIMARY KEY (kind, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX authorizations_by_client ON authorizations (client);

CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  sealed TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`
