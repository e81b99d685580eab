// Operator tokens by hash, with a proof that binds all other columns; and who issued an initial access token, on which
// nothing depends, so that no proof binds it.
export const operatorTokens = `
CREATE TABLE operator_tokens (
  hash TEXT PRIMARY KEY,
  privileges TEXT NOT NULL,
  name TEXT,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  issued_by TEXT NOT NULL,
  proof TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX operator_tokens_by_expiry ON operator_tokens (expires_at, hash);

ALTER TABLE initial_access_tokens ADD COLUMN issued_by TEXT;
`
