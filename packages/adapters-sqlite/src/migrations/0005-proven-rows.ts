// Both credentials of a client in one text, sealed with all columns of its row as context; proofs for the other rows
// that decisions depend on; confirmation pages are stored only with their session or its end. Existing values are
// sealed anew after the columns are added.
export const provenRows = `
ALTER TABLE clients ADD COLUMN credentials TEXT NOT NULL DEFAULT '';
ALTER TABLE end_user_sessions ADD COLUMN declined TEXT NOT NULL DEFAULT '[]';
ALTER TABLE end_user_sessions ADD COLUMN proof TEXT NOT NULL DEFAULT '';
ALTER TABLE authorizations ADD COLUMN proof TEXT NOT NULL DEFAULT '';
ALTER TABLE initial_access_tokens ADD COLUMN proof TEXT NOT NULL DEFAULT '';

DELETE FROM initial_access_tokens WHERE spent = 1;
ALTER TABLE initial_access_tokens DROP COLUMN spent;
DELETE FROM answered_dialogs WHERE answer <> 'logout';
ALTER TABLE answered_dialogs DROP COLUMN answer;
ALTER TABLE answered_dialogs RENAME TO ending_dialogs;
DROP INDEX answered_dialogs_by_end;
CREATE INDEX ending_dialogs_by_end ON ending_dialogs (remembered_until);

-- Keys of other signers, in the order in which they were published.
CREATE TABLE foreign_keys (
  ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
  kid TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL,
  proof TEXT NOT NULL
) STRICT;

CREATE INDEX authorizations_by_expiry ON authorizations (expires_at) WHERE expires_at > 0;

-- token-index.ts tells which clients these are.
CREATE INDEX clients_by_token ON clients (substr(registration_access_token_hash, 1, 8))
  WHERE substr(client_id, 1, 8) <> substr(replace(replace(registration_access_token_hash, '-', ''), '_', ''), 1, 8);
`

/** Runs when all values are sealed anew. */
export const withoutEarlierSeals = `
ALTER TABLE clients DROP COLUMN client_secret;
ALTER TABLE clients DROP COLUMN registration_access_token;
`
