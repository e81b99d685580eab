// What each client was registered with, and its texts for search, which belong to its version search_version: they are
// written after the registration. The previous release goes on: it records nothing.
export const searchedClients = `
ALTER TABLE clients ADD COLUMN token_fingerprint text COLLATE "C";
ALTER TABLE clients ADD COLUMN statement_issuer text COLLATE "C";
ALTER TABLE clients ADD COLUMN imported smallint NOT NULL DEFAULT 0;
CREATE INDEX clients_by_token_fingerprint ON clients (token_fingerprint, ordinal) WHERE token_fingerprint IS NOT NULL;
CREATE INDEX clients_by_statement_issuer ON clients (statement_issuer, ordinal) WHERE statement_issuer IS NOT NULL;
CREATE INDEX clients_suspended ON clients (ordinal) WHERE suspended_at IS NOT NULL;

ALTER TABLE clients ADD COLUMN search_text text COLLATE "C";
ALTER TABLE clients ADD COLUMN search_version bigint;
CREATE INDEX clients_search_due ON clients (ordinal) WHERE search_version IS DISTINCT FROM version;
`
