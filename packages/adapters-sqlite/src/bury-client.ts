// Removes a client in a transaction, with the event for providers and the tombstone.
import { type Registration, type Tombstone, minStoredTombstones } from '@clientele/domain'
import type Database from 'better-sqlite3'
import { createForgetTexts } from './index-texts.js'
import { createRecordEvent } from './provider-events.js'

const deleteClient = 'DELETE FROM clients WHERE ordinal = ?'
const upsertTombstone = `
INSERT INTO tombstones (id, until) VALUES (@id, @until) ON CONFLICT (id) DO UPDATE SET until = excluded.until`
const forgetTombstones = 'DELETE FROM tombstones WHERE ordinal <= ?'

/** The number of tombstones that are removed in one step. */
const forgottenTogether = 1000

export type RemovedRow = Registration & { readonly ordinal: number }

export const createBuryClient = (
  db: Database.Database,
): ((removed: RemovedRow, tombstone: Tombstone | undefined) => void) => {
  const remove = db.prepare(deleteClient)
  const forgetTexts = createForgetTexts(db)
  const bury = db.prepare(upsertTombstone)
  const forget = db.prepare(forgetTombstones)
  const recordEvent = createRecordEvent(db)
  return ({ ordinal, client_id, registration_id }, tombstone) => {
    remove.run(ordinal)
    forgetTexts(ordinal)
    recordEvent({ event: 'client_deleted', client_id, registration_id })
    if (tombstone === undefined) return
    const position = Number(bury.run(tombstone).lastInsertRowid)
    if (position % forgottenTogether === 0) forget.run(position - minStoredTombstones)
  }
}
