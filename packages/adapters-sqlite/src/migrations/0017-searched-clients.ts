// What each client was registered with, and what finds clients: an index that has the columns of the filters in the order
// of registration, and the trigrams of their texts (search-tokens.ts). The texts are indexed after the registration, up to the ordinal in
// client_search_progress, and those in client_search_due anew.
export const searchedClients = `
ALTER TABLE clients ADD COLUMN token_fingerprint TEXT;
ALTER TABLE clients ADD COLUMN statement_issuer TEXT;
ALTER TABLE clients ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
CREATE INDEX clients_by_token_fingerprint ON clients (token_fingerprint, ordinal) WHERE token_fingerprint IS NOT NULL;
CREATE INDEX clients_by_statement_issuer ON clients (statement_issuer, ordinal) WHERE statement_issuer IS NOT NULL;
CREATE INDEX clients_suspended ON clients (ordinal) WHERE suspended_at IS NOT NULL;
CREATE INDEX clients_filtered ON clients
  (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer);

CREATE VIRTUAL TABLE client_search USING fts5
  (text, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TABLE client_search_due (ordinal INTEGER PRIMARY KEY) STRICT;
CREATE TABLE client_search_progress (indexed_to INTEGER NOT NULL) STRICT;
INSERT INTO client_search_progress VALUES (0);
`
