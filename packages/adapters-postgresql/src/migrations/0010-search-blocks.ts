// What finds clients among very many: an index that has the columns of the filters in the order of registration, and the
// tokens of the texts of each block of clients (search-tokens.ts). The texts of a client are in the tokens of its block
// where indexed_version is its version. Instances of the code before go on: they read and write search_version, which
// nothing else does, and the texts, which they write alike.
//
// The expressions with `+ 0` are in one index alone, so that no plan walks another one from end to end. The plan of the
// function reads the index of tokens whatever the statistics say: the planner counts the pages of a table without those
// of its large values, and so takes a table of tokens for a small one.
export const searchBlocks = `
ALTER TABLE clients ADD COLUMN indexed_version bigint;
DROP INDEX clients_search_due;
CREATE INDEX clients_unindexed ON clients ((ordinal + 0)) WHERE indexed_version IS DISTINCT FROM version;
CREATE INDEX clients_filtered ON clients
  (ordinal, registered_by, client_id_issued_at, used_at, suspended_at, imported, statement_issuer);

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
`
