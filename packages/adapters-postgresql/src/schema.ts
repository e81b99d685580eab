// The first schema of PostgreSQL, and the migrations after it. Code of the previous release goes on beside the new schema: see
// docs/decisions/several-instances.md.
import { laterSchemas, tablesOfPostgresql } from '@clientele/adapters-sql'

const first = `${tablesOfPostgresql}
CREATE TABLE search_blocks (
  block bigint PRIMARY KEY,
  tokens integer[] NOT NULL
);
CREATE INDEX search_blocks_by_token ON search_blocks USING gin (tokens) WITH (fastupdate = off);
CREATE FUNCTION blocks_with_tokens(wanted integer[], lowest bigint, highest bigint, most integer) RETURNS SETOF bigint
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off AS $$
  SELECT block FROM search_blocks
  WHERE (tokens @> wanted OR tokens @> ARRAY[0]) AND block + 0 >= lowest AND block + 0 <= highest
  ORDER BY block + 0 LIMIT most
$$;

CREATE TABLE provider_events (
  transaction xid8 DEFAULT pg_current_xact_id(),
  ordinal bigint GENERATED ALWAYS AS IDENTITY,
  event text COLLATE "C" NOT NULL,
  PRIMARY KEY (transaction, ordinal)
);
CREATE INDEX provider_events_by_ordinal ON provider_events (ordinal);

-- As a second guard beside the names of verbs: what a session granted ends with it.
ALTER TABLE authorizations
  ADD COLUMN held_by text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN offline = 0 THEN session END) STORED
    CONSTRAINT authorizations_held_by REFERENCES end_user_sessions (sid) ON DELETE CASCADE;
CREATE INDEX authorizations_held ON authorizations (held_by) WHERE held_by IS NOT NULL;

-- The default waits for a fifth of the table.
ALTER TABLE clients SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE artefacts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE end_user_sessions SET (autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE audit_rows SET (autovacuum_vacuum_insert_scale_factor = 0.02);

CREATE TABLE instances (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL,
  instance text COLLATE "C" NOT NULL
);

CREATE TABLE receipts (
  id text COLLATE "C" PRIMARY KEY,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX receipts_by_time ON receipts (written_at);

CREATE FUNCTION require_rings_in_time() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF extract(epoch FROM clock_timestamp()) >= nullif(current_setting('clientele.rings_before', true), '')::bigint
  THEN RAISE EXCEPTION 'too late for key rings' USING ERRCODE = 'serialization_failure'; END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER key_rings_in_time AFTER INSERT OR UPDATE ON key_rings
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION require_rings_in_time();
`

export type Migration = {
  readonly number: number
  /** Separated by a semicolon at the end of a line. */
  readonly statements: string
  /** The oldest schema whose code can go on beside this one. */
  readonly worksWith: number
}

export type Migrations = ReadonlyArray<Migration>

/** Numbered, and forward only. Numbers below the first are of no release. */
export const migrations: Migrations = [
  { number: 100, statements: first, worksWith: 100 },
  ...laterSchemas.map(({ number, postgresql, worksWith }) => ({ number, statements: postgresql, worksWith })),
]
