// The index of texts is written after the registration, by a write of its own, so that registering costs no more.
import { type ClientSearch, type RegisteredClient, searchTexts } from '@clientele/domain'
import { type NewClientRow, fromListedRow, listedColumns } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { tokensOf } from './search-tokens.js'
import { selectRows } from './select-rows.js'
import type { WriteQueue } from './write-queue.js'

const selectDue = `
SELECT ${listedColumns} FROM clients WHERE ordinal IN (SELECT ordinal FROM client_search_due ORDER BY ordinal LIMIT ?)`
const selectNew = `
SELECT ${listedColumns} FROM clients WHERE ordinal > (SELECT indexed_to FROM client_search_progress)
ORDER BY ordinal LIMIT ?`
const insertText = 'INSERT OR REPLACE INTO client_search (rowid, text) VALUES (?, ?)'
const forgetDue = 'DELETE FROM client_search_due WHERE ordinal = ?'
const updateProgress = 'UPDATE client_search_progress SET indexed_to = max(indexed_to, ?)'
const insertDue = `
INSERT OR IGNORE INTO client_search_due
  SELECT ordinal FROM clients, client_search_progress WHERE client_id = ? AND ordinal <= indexed_to`
const deleteText = `
DELETE FROM client_search WHERE rowid = (SELECT @ordinal FROM client_search_progress WHERE @ordinal <= indexed_to)`

export const createIndexTexts = (db: Database.Database, queue: WriteQueue): ClientSearch['indexTexts'] => {
  const due = selectRows(db, selectDue)
  const unindexed = selectRows(db, selectNew)
  const insert = db.prepare(insertText)
  const forget = db.prepare(forgetDue)
  const progress = db.prepare(updateProgress)
  const index = (rows: ReadonlyArray<unknown>): ReadonlyArray<number> =>
    rows.flatMap(fromListedRow).map(({ position, client }) => {
      insert.run(BigInt(position), tokensOf(position, searchTexts(client)))
      return position
    })
  return (max) =>
    queue.write(() => {
      const changed = index(due.all(max))
      for (const position of changed) forget.run(position)
      const added = index(unindexed.all(Math.max(0, max - changed.length)))
      const last = added.at(-1)
      if (last !== undefined) progress.run(last)
      return E.right(changed.length + added.length)
    })
}

/** Called in the transaction that replaces a client: its texts are indexed anew. */
export const createReindex = (db: Database.Database): ((row: NewClientRow, replacing: RegisteredClient) => void) => {
  const insert = db.prepare(insertDue)
  return (row, { metadata }) => {
    if (row.metadata !== JSON.stringify(metadata)) insert.run(row.client_id)
  }
}

/** Called in the transaction that removes the client of the ordinal. */
export const createForgetTexts = (db: Database.Database): ((ordinal: number) => void) => {
  const remove = db.prepare(deleteText)
  const forget = db.prepare(forgetDue)
  return (ordinal) => {
    remove.run({ ordinal })
    forget.run(ordinal)
  }
}
