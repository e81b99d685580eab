import { type WriteHealth, createWriteHealth } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import { type Batches, createBatches } from '../../src/batch.js'
import { openDatabase } from '../../src/open-database.js'
import { type Connection, connectionTo } from '../../src/connection.js'
import { encryptionWith } from './encryption.js'

/** The connection of a store, the number of writes of each commit, and fatal errors. */
export type OpenedLayers = Connection & {
  readonly commits: ReadonlyArray<number>
  readonly fatal: ReadonlyArray<unknown>
  readonly health: WriteHealth
}

const counting = (batches: Batches, commits: Array<number>): Batches => ({
  ...batches,
  commit: (writes) => {
    commits.push(writes.length)
    return batches.commit(writes)
  },
})

export const openedLayers = async (file: string): Promise<OpenedLayers> => {
  const db = await openDatabase(file, false, encryptionWith('the right key'))()
  if (E.isLeft(db)) throw new Error(db.left.message)
  const commits: Array<number> = []
  const fatal: Array<unknown> = []
  const health = createWriteHealth()
  const batches = createBatches(db.right, (reason) => fatal.push(reason), undefined, health)
  return { ...connectionTo(db.right, counting(batches, commits)), commits, fatal, health }
}

/** A write of one row. */
export const keeping =
  ({ db }: OpenedLayers, name: string, sealed = 'a value') =>
  (): E.Either<never, string> => {
    db.prepare('INSERT INTO secrets (name, sealed) VALUES (?, ?)').run(name, sealed)
    return E.right(name)
  }

export const stored = ({ db }: OpenedLayers): ReadonlyArray<unknown> =>
  db.prepare('SELECT name FROM secrets ORDER BY name').pluck().all()
