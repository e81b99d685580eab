// A ring with its private keys, sealed as a whole; the version is compared before a ring is replaced.
export const keyRings = `
CREATE TABLE key_rings (
  alg TEXT NOT NULL,
  use TEXT NOT NULL,
  version INTEGER NOT NULL,
  sealed TEXT NOT NULL,
  PRIMARY KEY (alg, use)
) STRICT, WITHOUT ROWID;
`
