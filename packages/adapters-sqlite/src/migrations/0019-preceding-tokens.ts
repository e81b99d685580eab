// The registration access token before the newest one, by which a client is found that lost the answer of an update.
export const precedingTokens = `
ALTER TABLE clients ADD COLUMN preceding_token_hash TEXT;
CREATE INDEX clients_by_preceding_token ON clients (preceding_token_hash) WHERE preceding_token_hash IS NOT NULL;
`
