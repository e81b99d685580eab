import type { Batches } from './batch.js'
import type Database from 'better-sqlite3'
import { type ReadTogether, createReadTogether } from './read-together.js'
import { type WriteQueue, createWriteQueue } from './write-queue.js'

/** An opened database, and the two ways to its rows. */
export type Connection = {
  readonly db: Database.Database
  readonly read: ReadTogether
  readonly queue: WriteQueue
}

export const connectionTo = (db: Database.Database, batches: Batches): Connection => ({
  db,
  read: createReadTogether(db),
  queue: createWriteQueue(batches),
})
