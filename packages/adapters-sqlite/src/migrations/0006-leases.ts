// The leases of instances, with their ends.
export const leases = `
CREATE TABLE leases (
  name TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX leases_by_end ON leases (until);
`
