import { type EpochSeconds, type Registration, useTime } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { createRegisteredOrdinal } from './registered-ordinal.js'

// Writes only at the first use, and at the first of a UTC day.
const updateUsed = `
UPDATE clients SET unused_open = 0, used_at = max(coalesce(used_at, 0), @day)
WHERE ordinal = @ordinal AND (unused_open > 0 OR used_at IS NULL OR used_at < @day)`

/** Called in a transaction: the client of the ordinal counts as used from now on. */
export const createUseClient = (db: Database.Database): ((ordinal: unknown, at: EpochSeconds) => void) => {
  const update = db.prepare(updateUsed)
  return (ordinal, at) => void update.run({ ordinal, day: useTime(at) })
}

/** Called in a transaction: the client counts as used, unless its registration has ended. */
export const createRecordUse = (db: Database.Database): ((registration: Registration, at: EpochSeconds) => void) => {
  const ordinalOf = createRegisteredOrdinal(db)
  const use = createUseClient(db)
  return (registration, at) => {
    const ordinal = ordinalOf(registration)
    if (ordinal !== undefined) use(ordinal, at)
  }
}
