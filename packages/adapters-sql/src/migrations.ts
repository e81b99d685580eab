// What each schema after the first adds; an engine migrates in its own way.
import { ofPostgresql, ofSqlite } from './schema.js'

/** The set of declared clients that a client belongs to, whether an operator has to approve it, and why it was refused. */
const clientColumns = `
ALTER TABLE clients ADD COLUMN declared_in TEXT;
ALTER TABLE removed_clients ADD COLUMN declared_in TEXT;
CREATE INDEX clients_by_declared_set ON clients (declared_in, ordinal) WHERE declared_in IS NOT NULL;
ALTER TABLE clients ADD COLUMN approval TEXT;
ALTER TABLE removed_clients ADD COLUMN approval TEXT;
CREATE INDEX clients_unapproved ON clients (ordinal) WHERE approval IS NOT NULL;
CREATE INDEX clients_unapproved_waiting ON clients (coalesce(waits_since, client_id_issued_at), ordinal)
  WHERE approval IS NOT NULL;
`

/** Connections that were revoked: each is the consent that it was. */
const revokedConnections = `
CREATE TABLE revoked_connections (
  ordinal INTEGER NOT NULL,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  since INTEGER NOT NULL,
  used_at INTEGER,
  revoked_at INTEGER NOT NULL,
  revoked_by TEXT NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (client, sub)
) KEYED;
CREATE INDEX revoked_connections_by_ordinal ON revoked_connections (ordinal);
CREATE INDEX revoked_connections_by_client ON revoked_connections (client, ordinal);
CREATE INDEX revoked_connections_by_sub ON revoked_connections (sub, ordinal);
CREATE INDEX revoked_connections_by_end ON revoked_connections (revoked_at, ordinal);
`

/** What was refused lately, and the UTC day on which a client last used each client_secret, by its digest. */
const refusalsAndSecretUses = `
CREATE TABLE client_secret_uses (
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  secret TEXT NOT NULL,
  used_at INTEGER NOT NULL,
  PRIMARY KEY (client, secret)
) KEYED;
CREATE TABLE refusal_counts (
  door TEXT NOT NULL,
  rule TEXT NOT NULL,
  sender TEXT NOT NULL,
  software TEXT NOT NULL,
  times INTEGER NOT NULL,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  PRIMARY KEY (door, rule, sender, software)
) KEYED;
CREATE INDEX refusal_counts_by_end ON refusal_counts (last_at);
CREATE TABLE refusals (
  ordinal IDENTITY,
  at INTEGER NOT NULL,
  door TEXT NOT NULL,
  rule TEXT NOT NULL,
  sender TEXT NOT NULL,
  software TEXT NOT NULL,
  rules TEXT NOT NULL,
  client_id TEXT
);
`

/** The indexes by which connections are listed, in the order in which they began. */
const connectionIndexes = `
CREATE INDEX consents_by_client ON consents (client, ordinal);
CREATE INDEX consents_by_sub ON consents (sub, ordinal);
${revokedConnections}`

// A table without row numbers cannot get them: it is made anew.
const connectionsOfSqlite = ofSqlite(`
ALTER TABLE consents RENAME TO earlier_consents;
CREATE TABLE consents (
  ordinal IDENTITY,
  client INTEGER NOT NULL REFERENCES clients (ordinal) ON DELETE CASCADE,
  sub TEXT NOT NULL,
  given_at INTEGER NOT NULL,
  since INTEGER,
  used_at INTEGER,
  sealed TEXT NOT NULL,
  UNIQUE (client, sub)
);
INSERT INTO consents (client, sub, given_at, since, sealed)
  SELECT client, sub, given_at, given_at, sealed FROM earlier_consents ORDER BY given_at, client, sub;
DROP TABLE earlier_consents;
${connectionIndexes}`)

// The release before goes on beside it: what it writes has no `since`, and gets an ordinal all the same.
const connectionsOfPostgresql = `
ALTER TABLE consents
  ADD COLUMN ordinal bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN since bigint,
  ADD COLUMN used_at bigint;
CREATE UNIQUE INDEX consents_by_ordinal ON consents (ordinal);
DROP INDEX consents_by_sub;
${ofPostgresql(connectionIndexes)}`

type LaterSchema = {
  readonly number: number
  readonly sqlite: string
  readonly postgresql: string
  /** The oldest schema whose code can go on beside this one, on PostgreSQL. */
  readonly worksWith: number
}

const inBoth = (number: number, worksWith: number, text: string): LaterSchema => ({
  number,
  worksWith,
  sqlite: ofSqlite(text),
  postgresql: ofPostgresql(text),
})

/** Forward only, in the order of their numbers, which never change. */
export const laterSchemas: ReadonlyArray<LaterSchema> = [
  // Code of schema 100 cannot read the row of a client without an approval, so that it answers no request of it; it may park
  // the client, which removes it no sooner.
  inBoth(101, 100, clientColumns),
  { number: 102, worksWith: 100, sqlite: connectionsOfSqlite, postgresql: connectionsOfPostgresql },
  inBoth(103, 100, refusalsAndSecretUses),
]
