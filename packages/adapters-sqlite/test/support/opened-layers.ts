import * as E from 'fp-ts/lib/Either.js'
import { type Batches, createBatches } from '../../src/batch.js'
import { openDatabase } from '../../src/open-database.js'
import { type Connection, connectionTo } from '../../src/connection.js'
import { encryptionWith } from './encryption.js'

/** The connection of a store, the number of writes of each commit, and fatal errors. */
export type OpenedLayers = Connection & {
  readonly commits: ReadonlyArray<number>
  readonly fatal: ReadonlyArray<unknown>
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
  const batches = createBatches(db.right, (reason) => fatal.push(reason))
  return { ...connectionTo(db.right, counting(batches, commits)), commits, fatal }
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
