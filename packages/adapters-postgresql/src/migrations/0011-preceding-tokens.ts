// The registration access token before the newest one, by which a client is found that lost the answer of an update. The
// previous release goes on: it does not find by it, and its updates leave the column, which alone opens nothing.
export const precedingTokens = `
ALTER TABLE clients ADD COLUMN preceding_token_hash text COLLATE "C";
CREATE INDEX clients_by_preceding_token ON clients (preceding_token_hash) WHERE preceding_token_hash IS NOT NULL;
`
