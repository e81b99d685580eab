// Clients that the service removed by itself, as their rows were, until they are restored or forgotten.
export const removedClients = `
CREATE TABLE removed_clients (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id text COLLATE "C" NOT NULL UNIQUE,
  registration_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  client_id_issued_at bigint NOT NULL,
  client_secret_expires_at bigint,
  registration_access_token_hash text COLLATE "C" NOT NULL,
  preceding_token_hash text COLLATE "C",
  registered_by text COLLATE "C" NOT NULL,
  privileges text COLLATE "C" NOT NULL,
  metadata text COLLATE "C" NOT NULL,
  suspended_at bigint,
  credentials text COLLATE "C" NOT NULL,
  token_fingerprint text COLLATE "C",
  statement_issuer text COLLATE "C",
  imported smallint NOT NULL,
  removed_at bigint NOT NULL
);
CREATE INDEX removed_clients_by_end ON removed_clients (removed_at);
`
