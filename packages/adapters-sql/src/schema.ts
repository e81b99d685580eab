// The tables of the first schema of both databases, written once. A later schema adds to them: migrations.ts.

/** The columns of the first schema that a removed client keeps of the client that it was. */
const kept = `  client_id TEXT NOT NULL UNIQUE,
  registration_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  client_id_issued_at INTEGER NOT NULL,
  client_secret_expires_at INTEGER,
  registration_access_token_hash TEXT NOT NULL,
  preceding_token_hash TEXT,
  registered_by TEXT NOT NULL,
  privileges TEXT NOT NULL,
  metadata TEXT NOT NULL,
  credentials TEXT NOT NULL,
  token_fingerprint TEXT,
  statement_issuer TEXT,
  imported INTEGER NOT NULL,`

// Text is compared by its octets. Rows get their IDENTITY or ROWNUMBER in the order of their insertion: an IDENTITY is never
// given again, and SQLite gives a ROWNUMBER again once the last row is removed. SQLite keeps a KEYED table in the order of
// its primary key.
const tables = `
CREATE TABLE secrets (
  name TEXT NOT NULL PRIMARY KEY,
  sealed TEXT NOT NULL
) KEYED;

CREATE TABLE clients (
  ordinal IDENTITY,
${kept}
  fingerprint TEXT,
  suspended_at INTEGER,
  used_at INTEGER,
  unused_open INTEGER NOT NULL,
  waits_since INTEGER,
  parked_at INTEGER,
  notice INTEGER,
  reindex INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX clients_by_token ON clients (substr(registration_access_token_hash, 1, 5));
CREATE INDEX clients_by_preceding_token ON clients (preceding_token_hash) WHERE preceding_token_hash IS NOT NULL;
CREATE UNIQUE INDEX clients_repeated ON clients (fingerprint) WHERE fingerprint IS NOT NULL AND unused_open = 1;
CREATE INDEX clients_unused_open ON clients (coalesce(waits_since, client_id_issued_at), ordinal) WHERE unused_open = 1;
CREATE INDEX clients_parked ON clients (coalesce(waits_since, client_id_issued_at), ordinal, parked_at, notice)
  WHERE unused_open = 2 AND suspended_at IS NULL AND registered_by = 'nobody' AND imported = 0;
CREATE INDEX clients_noticed ON clients (coalesce(notice, 1000000))
  WHERE unused_open = 2 AND suspended_at IS NULL AND registered_by = 'nobody' AND imported = 0;
CREATE INDEX clients_by_token_fingerprint ON clients (token_fingerprint, ordinal) WHERE token_fingerprint IS NOT NULL;
CREATE INDEX clients_by_statement_issuer ON clients (statement_issuer, ordinal) WHERE statement_issuer IS NOT NULL;
CREATE INDEX clients_suspended ON clients (ordinal) WHERE suspended_at IS NOT NULL;
CREATE INDEX clients_filtered ON clients
  (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer, unused_open);
CREATE INDEX clients_to_reindex ON clients (ordinal) WHERE reindex = 1;

CREATE TABLE client_texts (
  ordinal INTEGER NOT NULL PRIMARY KEY REFERENCES clients (ordinal) ON DELETE CASCADE,
  texts TEXT NOT NULL
);
CREATE TABLE search_progress (
  indexed_to INTEGER NOT NULL
);
INSERT INTO search_progress VALUES (0);

CREATE TABLE removed_clients (
  ordinal IDENTITY,
${kept}
  suspended_at INTEGER,
  removed_at INTEGER NOT NULL
);
CREATE INDEX removed_clients_by_end ON removed_clients (removed_at);

CREATE TABLE tombstones (
  ordinal IDENTITY,
  id TEXT NOT NULL UNIQUE,
  until INTEGER NOT NULL
);

CREATE TABLE observed_days (
  day INTEGER NOT NULL PRIMARY KEY
);

CREATE TABLE keyed_registrations (
  key TEXT NOT NULL PRIMARY KEY,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  request TEXT NOT NULL,
  expires_at INTEGER NOT NULL
) KEYED;
CREATE INDEX keyed_registrations_by_client ON keyed_registrations (client);
CREATE INDEX keyed_registrations_by_end ON keyed_registrations (expires_at);

CREATE TABLE initial_access_tokens (
  hash TEXT NOT NULL PRIMARY KEY,
  scope TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  owner INTEGER REFERENCES clients (ordinal) ON DELETE CASCADE,
  issued_by TEXT,
  proof TEXT NOT NULL
) KEYED;
CREATE INDEX initial_access_tokens_by_expiry ON initial_access_tokens (expires_at, hash);
CREATE INDEX initial_access_tokens_by_owner ON initial_access_tokens (owner) WHERE owner IS NOT NULL;

CREATE TABLE operator_tokens (
  hash TEXT NOT NULL PRIMARY KEY,
  privileges TEXT NOT NULL,
  name TEXT,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  issued_by TEXT NOT NULL,
  proof TEXT NOT NULL
) KEYED;
CREATE INDEX operator_tokens_by_expiry ON operator_tokens (expires_at, hash);

CREATE TABLE budgets (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  whole_at INTEGER NOT NULL,
  PRIMARY KEY (kind, source)
) KEYED;
CREATE INDEX budgets_by_time ON budgets (kind, whole_at) WHERE source <> '';

CREATE TABLE key_rings (
  alg TEXT NOT NULL,
  use TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (alg, use)
) KEYED;

CREATE TABLE foreign_keys (
  ordinal IDENTITY,
  kid TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL,
  proof TEXT NOT NULL
);

CREATE TABLE end_user_sessions (
  ordinal ROWNUMBER,
  cookie_hash TEXT NOT NULL UNIQUE,
  sid TEXT NOT NULL UNIQUE,
  sub TEXT NOT NULL,
  auth_time INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  idle_lifetime INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  over_at INTEGER NOT NULL,
  declined TEXT NOT NULL,
  version INTEGER NOT NULL,
  proof TEXT NOT NULL
);
CREATE INDEX end_user_sessions_by_sub ON end_user_sessions (sub, auth_time, ordinal);
CREATE INDEX end_user_sessions_by_end ON end_user_sessions (over_at);

CREATE TABLE session_clients (
  session INTEGER NOT NULL REFERENCES end_user_sessions (ordinal) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  sid TEXT NOT NULL,
  PRIMARY KEY (session, place)
) KEYED;
CREATE INDEX session_clients_by_client ON session_clients (client);

CREATE TABLE ending_confirmations (
  confirmation TEXT NOT NULL PRIMARY KEY,
  remembered_until INTEGER NOT NULL
) KEYED;
CREATE INDEX ending_confirmations_by_end ON ending_confirmations (remembered_until);

CREATE TABLE notifications (
  ordinal ROWNUMBER,
  id TEXT NOT NULL UNIQUE,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  uri TEXT NOT NULL,
  receiver TEXT NOT NULL,
  alg TEXT NOT NULL,
  sub TEXT NOT NULL,
  sid TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  due_at INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  note TEXT NOT NULL,
  claimed_by TEXT,
  claimed_until INTEGER
);
CREATE INDEX notifications_due ON notifications (due_at, ordinal) WHERE failed = 0;
CREATE INDEX notifications_failed ON notifications (ordinal) WHERE failed = 1;
CREATE INDEX notifications_by_creation ON notifications (created_at, ordinal);
CREATE INDEX notifications_by_client ON notifications (client, ordinal);
CREATE INDEX notifications_claimed ON notifications (receiver, claimed_until, claimed_by) WHERE claimed_by IS NOT NULL;

CREATE TABLE authorizations (
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  details TEXT NOT NULL,
  session TEXT,
  offline INTEGER NOT NULL,
  proof TEXT NOT NULL,
  PRIMARY KEY (kind, hash)
) KEYED;
CREATE INDEX authorizations_by_client ON authorizations (client);
CREATE INDEX authorizations_by_session ON authorizations (session) WHERE session IS NOT NULL;
CREATE INDEX authorizations_by_expiry ON authorizations (expires_at) WHERE expires_at > 0;

CREATE TABLE artefacts (
  kind TEXT NOT NULL,
  hash TEXT NOT NULL,
  name TEXT,
  client INTEGER REFERENCES clients (ordinal) ON DELETE CASCADE,
  grant_hash TEXT,
  session TEXT REFERENCES end_user_sessions (sid) ON DELETE CASCADE,
  sub TEXT,
  predecessor TEXT,
  expires_at INTEGER NOT NULL,
  removable_from INTEGER NOT NULL,
  consumed_at INTEGER,
  successor TEXT,
  payload TEXT NOT NULL,
  PRIMARY KEY (kind, hash)
);
CREATE INDEX artefacts_by_name ON artefacts (kind, name, expires_at DESC, hash) WHERE name IS NOT NULL;
CREATE INDEX artefacts_by_client ON artefacts (client, sub) WHERE client IS NOT NULL;
CREATE INDEX artefacts_by_grant ON artefacts (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX artefacts_by_session ON artefacts (session) WHERE session IS NOT NULL;
CREATE INDEX artefacts_by_end ON artefacts (removable_from);

CREATE TABLE consents (
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (client, sub)
) KEYED;
CREATE INDEX consents_by_sub ON consents (sub, given_at, client);

CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) KEYED;
CREATE INDEX leases_by_end ON leases (until);

CREATE TABLE audit_rows (
  ordinal IDENTITY,
  at INTEGER NOT NULL,
  client_id TEXT,
  actor TEXT NOT NULL,
  actor_name TEXT,
  entry TEXT NOT NULL,
  mac TEXT NOT NULL
);
CREATE INDEX audit_rows_by_time ON audit_rows (at, ordinal);
CREATE TABLE audit_index (
  ordinal INTEGER NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  client_id TEXT,
  actor TEXT NOT NULL,
  actor_name TEXT,
  mac TEXT NOT NULL
);
CREATE UNIQUE INDEX audit_index_mac ON audit_index ((at + 0), mac);
CREATE INDEX audit_index_client ON audit_index (client_id, at, ordinal) WHERE client_id IS NOT NULL;
CREATE INDEX audit_index_actor ON audit_index (actor, at, ordinal);
CREATE INDEX audit_index_actor_name ON audit_index (actor_name, at, ordinal) WHERE actor_name IS NOT NULL;
CREATE TABLE audit_checkpoints (
  number INTEGER NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  lowest INTEGER NOT NULL,
  highest INTEGER NOT NULL,
  jws TEXT NOT NULL
);
CREATE INDEX audit_checkpoints_by_highest ON audit_checkpoints (highest);
`

type Words = Readonly<Record<'IDENTITY' | 'ROWNUMBER' | 'TEXT' | 'INTEGER', string>>

const written = (text: string, words: Words): string =>
  text.replaceAll(/\b(IDENTITY|ROWNUMBER|TEXT|INTEGER)\b/g, (word) => words[word as keyof Words])

/** A text of both databases, as SQLite has it. */
export const ofSqlite = (text: string): string =>
  written(text, {
    IDENTITY: 'INTEGER PRIMARY KEY AUTOINCREMENT',
    ROWNUMBER: 'INTEGER PRIMARY KEY',
    TEXT: 'TEXT',
    INTEGER: 'INTEGER',
  })
    .replaceAll('\n) KEYED;', '\n) STRICT, WITHOUT ROWID;')
    .replaceAll('\n);', '\n) STRICT;')

export const tablesOfSqlite = ofSqlite(tables)

const identity = 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY'

/** The same as PostgreSQL has it. */
export const ofPostgresql = (text: string): string =>
  written(text, {
    IDENTITY: identity,
    ROWNUMBER: identity,
    TEXT: 'text COLLATE "C"',
    INTEGER: 'bigint',
  }).replaceAll('\n) KEYED;', '\n);')

export const tablesOfPostgresql = ofPostgresql(tables)

/**
 * What a restored database leaves out, by table: promises of single use, what may have been ended, revoked or withdrawn
 * since the backup, and the days that say which clients were not used, because some may have been since. What ends with a row
 * of another table comes before it, so that its removal counts it.
 */
export const forgottenTables = [
  'initial_access_tokens',
  'operator_tokens',
  'authorizations',
  'artefacts',
  'end_user_sessions',
  'consents',
  'observed_days',
] as const

/** The numbers of rows. */
export type Forgotten = Readonly<Record<(typeof forgottenTables)[number], number>>

/** The numbers of all these tables by the number of one. */
export const forgottenBy = (countOf: (table: keyof Forgotten) => number): Forgotten =>
  Object.fromEntries(forgottenTables.map((table) => [table, countOf(table)])) as Forgotten
