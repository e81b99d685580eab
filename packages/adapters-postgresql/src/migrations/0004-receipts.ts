// What a write has answered, by a random id: it is there only if that write was committed.
export const receipts = `
CREATE TABLE receipts (
  id text COLLATE "C" PRIMARY KEY,
  rows bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX receipts_by_time ON receipts (written_at);
`
