// Operator tokens by hash, with a proof that binds all other columns; and who issued an initial access token, on which
// nothing depends, so that no proof binds it.
export const operatorTokens = `
CREATE TABLE operator_tokens (
  hash text COLLATE "C" PRIMARY KEY,
  privileges text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  issued_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  issued_by text COLLATE "C" NOT NULL,
  proof text COLLATE "C" NOT NULL
);
CREATE INDEX operator_tokens_by_expiry ON operator_tokens (expires_at, hash);

ALTER TABLE initial_access_tokens ADD COLUMN issued_by text COLLATE "C";
`
