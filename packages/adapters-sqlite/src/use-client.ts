import { type EpochSeconds, type Registration, observedDaysKept, useTime } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { createRegisteredOrdinal } from './registered-ordinal.js'

// Writes only at the first use, and at the first of a UTC day.
const updateUsed = `
UPDATE clients SET unused_open = 0, used_at = max(coalesce(used_at, 0), @day)
WHERE ordinal = @ordinal AND (unused_open > 0 OR used_at IS NULL OR used_at < @day)`
const insertDay = 'INSERT INTO observed_days (day) VALUES (?) ON CONFLICT DO NOTHING'
const forgetDays = 'DELETE FROM observed_days WHERE day < ?'

/** Called in a transaction: a use on the day would be recorded. */
export const createObserveDay = (db: Database.Database): ((at: EpochSeconds) => void) => {
  const insert = db.prepare(insertDay)
  const forget = db.prepare(forgetDays)
  return (at) => {
    const day = useTime(at)
    if (insert.run(day).changes > 0) forget.run(day - observedDaysKept)
  }
}

type UseClient = (ordinal: unknown, at: EpochSeconds) => boolean

const createUpdateUsed = (db: Database.Database): UseClient => {
  const update = db.prepare(updateUsed)
  return (ordinal, at) => update.run({ ordinal, day: useTime(at) }).changes > 0
}

/** Called in a transaction: the client of the ordinal counts as used from now on. */
export const createUseClient = (db: Database.Database): ((ordinal: unknown, at: EpochSeconds) => void) => {
  const use = createUpdateUsed(db)
  const observe = createObserveDay(db)
  return (ordinal, at) => {
    if (use(ordinal, at)) observe(at)
  }
}

type RecordUse = (registration: Registration, at: EpochSeconds) => void

const recordUseBy = (db: Database.Database, use: (ordinal: unknown, at: EpochSeconds) => void): RecordUse => {
  const ordinalOf = createRegisteredOrdinal(db)
  return (registration, at) => {
    const ordinal = ordinalOf(registration)
    if (ordinal !== undefined) use(ordinal, at)
  }
}

/** Called in a transaction: the client counts as used, unless its registration has ended. */
export const createRecordUse = (db: Database.Database): RecordUse => recordUseBy(db, createUseClient(db))

/** The same of an imported client, whose use was elsewhere: it shows nothing of the days here. */
export const createRecordImportedUse = (db: Database.Database): RecordUse => recordUseBy(db, createUpdateUsed(db))
