import type Database from 'better-sqlite3'

const updateUsed = 'UPDATE clients SET unused_open = 0 WHERE ordinal = ? AND unused_open = 1'

/** Called in a transaction: the client of the ordinal counts as used from now on. */
export const createUseClient = (db: Database.Database): ((ordinal: unknown) => void) => {
  const update = db.prepare(updateUsed)
  return (ordinal) => void update.run(ordinal)
}
