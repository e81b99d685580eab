// When budgets are whole again, in milliseconds since 1970: of each source by its keyed digest, and with an empty source
// that of all sources, whose row is the lock of the others. The previous release goes on: it has no budgets.
export const budgets = `
CREATE TABLE budgets (
  kind text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  whole_at bigint NOT NULL,
  PRIMARY KEY (kind, source)
);
CREATE INDEX budgets_by_time ON budgets (kind, whole_at) WHERE source <> '';
`
