// The store. Text is compared by octets ("C"); numbers are below 2^53; flags are 0 and 1; JSON is text, because jsonb
// would change it. References decide races: an authorization of a session refers to it, so that none is recorded beside
// the end of the session.
export const store = `
CREATE TABLE secrets (
  name text COLLATE "C" PRIMARY KEY,
  sealed text COLLATE "C" NOT NULL
);

CREATE TABLE clients (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id text COLLATE "C" NOT NULL UNIQUE,
  registration_id text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  client_id_issued_at bigint NOT NULL,
  client_secret_expires_at bigint,
  registration_access_token_hash text COLLATE "C" NOT NULL,
  registered_by text COLLATE "C" NOT NULL,
  privileges text COLLATE "C" NOT NULL,
  metadata text COLLATE "C" NOT NULL,
  credentials text COLLATE "C" NOT NULL,
  unused_open smallint NOT NULL
);
CREATE INDEX clients_by_token ON clients (registration_access_token_hash);
CREATE INDEX clients_unused_open ON clients (ordinal) WHERE unused_open = 1;

CREATE TABLE client_gate (gate smallint PRIMARY KEY CHECK (gate = 1));
INSERT INTO client_gate VALUES (1);

CREATE TABLE initial_access_tokens (
  hash text COLLATE "C" PRIMARY KEY,
  scope text COLLATE "C" NOT NULL,
  expires_at bigint NOT NULL,
  proof text COLLATE "C" NOT NULL
);
CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens (expires_at, hash);

CREATE TABLE key_rings (
  alg text COLLATE "C" NOT NULL,
  use text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  sealed text COLLATE "C" NOT NULL,
  PRIMARY KEY (alg, use)
);

CREATE TABLE foreign_keys (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kid text COLLATE "C" NOT NULL UNIQUE,
  key text COLLATE "C" NOT NULL,
  proof text COLLATE "C" NOT NULL
);

CREATE TABLE end_user_sessions (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  cookie_hash text COLLATE "C" NOT NULL UNIQUE,
  sid text COLLATE "C" NOT NULL UNIQUE,
  sub text COLLATE "C" NOT NULL,
  auth_time bigint NOT NULL,
  used_at bigint NOT NULL,
  idle_lifetime bigint NOT NULL,
  expires_at bigint NOT NULL,
  over_at bigint NOT NULL,
  declined text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  proof text COLLATE "C" NOT NULL
);
CREATE INDEX end_user_sessions_by_sub ON end_user_sessions (sub, auth_time, ordinal);
CREATE INDEX end_user_sessions_by_end ON end_user_sessions (over_at);

CREATE TABLE session_clients (
  session bigint NOT NULL REFERENCES end_user_sessions (ordinal) ON DELETE CASCADE,
  place integer NOT NULL,
  client bigint NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub text COLLATE "C" NOT NULL,
  sid text COLLATE "C" NOT NULL,
  PRIMARY KEY (session, place)
);
CREATE INDEX session_clients_by_client ON session_clients (client);

CREATE TABLE authorizations (
  kind text COLLATE "C" NOT NULL,
  hash text COLLATE "C" NOT NULL,
  client bigint NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  expires_at bigint NOT NULL,
  details text COLLATE "C" NOT NULL,
  session text COLLATE "C",
  offline smallint NOT NULL,
  held_by text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN offline = 0 THEN session END) STORED
    CONSTRAINT authorizations_held_by REFERENCES end_user_sessions (sid) ON DELETE CASCADE,
  proof text COLLATE "C" NOT NULL,
  PRIMARY KEY (kind, hash)
);
CREATE INDEX authorizations_by_client ON authorizations (client);
CREATE INDEX authorizations_by_session ON authorizations (session) WHERE session IS NOT NULL;
CREATE INDEX authorizations_held ON authorizations (held_by) WHERE held_by IS NOT NULL;
CREATE INDEX authorizations_by_expiry ON authorizations (expires_at) WHERE expires_at > 0;

CREATE TABLE ending_confirmations (
  confirmation text COLLATE "C" PRIMARY KEY,
  remembered_until bigint NOT NULL
);
CREATE INDEX ending_confirmations_by_end ON ending_confirmations (remembered_until);

CREATE TABLE notifications (
  ordinal bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  client bigint NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  uri text COLLATE "C" NOT NULL,
  receiver text COLLATE "C" NOT NULL,
  alg text COLLATE "C" NOT NULL,
  sub text COLLATE "C" NOT NULL,
  sid text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  attempts bigint NOT NULL,
  due_at bigint NOT NULL,
  failed smallint NOT NULL,
  note text COLLATE "C" NOT NULL,
  claimed_by text COLLATE "C",
  claimed_until bigint
);
CREATE INDEX notifications_due ON notifications (due_at, ordinal) WHERE failed = 0;
CREATE INDEX notifications_by_creation ON notifications (created_at, ordinal);
CREATE INDEX notifications_by_client ON notifications (client, ordinal);
CREATE INDEX notifications_by_receiver ON notifications (receiver);

CREATE TABLE leases (
  name text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C" NOT NULL,
  until bigint NOT NULL
);

CREATE TABLE provider_events (
  transaction xid8 PRIMARY KEY DEFAULT pg_current_xact_id(),
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  event text COLLATE "C" NOT NULL
);
CREATE INDEX provider_events_by_ordinal ON provider_events (ordinal);
`
