// Clients that the service removed by itself, as their rows were, until they are restored or forgotten.
export const removedClients = `
CREATE TABLE removed_clients (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL UNIQUE,
  registration_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  client_id_issued_at INTEGER NOT NULL,
  client_secret_expires_at INTEGER,
  registration_access_token_hash TEXT NOT NULL,
  preceding_token_hash TEXT,
  registered_by TEXT NOT NULL,
  privileges TEXT NOT NULL,
  metadata TEXT NOT NULL,
  suspended_at INTEGER,
  credentials TEXT NOT NULL,
  token_fingerprint TEXT,
  statement_issuer TEXT,
  imported INTEGER NOT NULL,
  removed_at INTEGER NOT NULL
) STRICT;
CREATE INDEX removed_clients_by_end ON removed_clients (removed_at);
`
