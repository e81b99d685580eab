import { type WriteHealth, createWriteHealth } from '@clientele/adapters-sql'
import type { Commit } from '@clientele/domain/ports'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { openDatabase } from '../../src/open-store.js'
import { type Connection, connectionTo } from '../../src/engine.js'

/** The connection of a store, the number of writes of each commit, and fatal errors. */
export type OpenedLayers = Connection & {
  readonly commits: ReadonlyArray<number>
  readonly fatal: ReadonlyArray<unknown>
  readonly health: WriteHealth
}

type SeenAs = (db: Database.Database) => Database.Database

/** `seenAs` stands between the layers and the database. */
export const openedLayers = async (file: string, seenAs: SeenAs = (db) => db): Promise<OpenedLayers> => {
  const opened = await openDatabase(file, false)()
  if (E.isLeft(opened)) throw new Error(opened.left.message)
  const db = seenAs(opened.right)
  const commits: Array<number> = []
  const fatal: Array<unknown> = []
  const health = createWriteHealth()
  const onFatal = (reason: unknown): void => void fatal.push(reason)
  const onCommit = ({ writes }: Commit): void => void commits.push(writes)
  return { ...connectionTo(db, { onFatal, onCommit, health }), commits, fatal, health }
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
