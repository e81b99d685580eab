// When budgets are whole again, in milliseconds since 1970: of each source by its keyed digest, and with an empty source
// that of all sources.
export const budgets = `
CREATE TABLE budgets (
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  whole_at INTEGER NOT NULL,
  PRIMARY KEY (kind, source)
) STRICT, WITHOUT ROWID;

CREATE INDEX budgets_by_time ON budgets (kind, whole_at) WHERE source <> '';
`
