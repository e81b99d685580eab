// The artefacts of the authorization server, the consents of end-users, and the owners of initial access tokens. All
// refer to a client and end with it; an artefact refers to its end-user session as well. consumed_by is random for each
// use, so that a commit in doubt is found by it.
export const artefacts = `
CREATE TABLE artefacts (
  kind text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  name text COLLATE "C",
  client bigint REFERENCES clients (ordinal) ON DELETE CASCADE,
  grant_hash text COLLATE "C",
  session text COLLATE "C" REFERENCES end_user_sessions (sid) ON DELETE CASCADE,
  sub text COLLATE "C",
  predecessor text COLLATE "C",
  expires_at bigint NOT NULL,
  removable_from bigint NOT NULL,
  consumed_at bigint,
  consumed_by text COLLATE "C",
  successor text COLLATE "C",
  payload text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, hash)
);
CREATE INDEX artefacts_by_name ON artefacts (kind, name, expires_at DESC, hash) WHERE name IS NOT NULL;
CREATE INDEX artefacts_by_client ON artefacts (client, sub) WHERE client IS NOT NULL;
CREATE INDEX artefacts_by_grant ON artefacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX artefacts_by_session ON artefacts (session) WHERE session IS NOT NULL;
CREATE INDEX artefacts_by_end ON artefacts (removable_from);

CREATE TABLE consents (
  client bigint NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub text COLLATE "C" NOT NULL,
  given_at bigint NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (client, sub)
);
CREATE INDEX consents_by_sub ON consents (sub, given_at, client);

ALTER TABLE initial_access_tokens ADD COLUMN owner bigint REFERENCES clients (ordinal) ON DELETE CASCADE;
CREATE INDEX initial_access_tokens_by_owner ON initial_access_tokens (owner) WHERE owner IS NOT NULL;
`
