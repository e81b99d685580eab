// The running instances. Their rows are not proven: who writes to the database can keep instances from starting anyway.
export const instances = `
CREATE TABLE instances (
  id text COLLATE "C" PRIMARY KEY,
  seen_at bigint NOT NULL,
  instance text COLLATE "C" NOT NULL
);
`
