import type { Store, StoreNeeds, StoreRefusal } from '@clientele/domain/ports'
import { type WriteHealth, createWriteHealth, digestKeyOf, storeOn } from '@clientele/adapters-sql'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { statSync } from 'node:fs'
import { type Connection, connectionTo } from './engine.js'
import { refusalOf } from './failures.js'
import { openDatabase } from './open-database.js'
import { type ServiceLock, lockService, noLock } from './service-lock.js'

export type StoreOptions = StoreNeeds & {
  readonly file: string
  /** Called when this process has locked the file, before anything else. */
  readonly onLocked?: () => void
  /** Whether other processes may open the file at the same time; by default, one service owns it. */
  readonly shared?: boolean
  /** Whether a missing database is refused in place of created. */
  readonly expectExisting?: boolean
}

/** For a process that owns the file alone: existing leases belong to processes that have ended. */
const endLeases = (db: Database.Database): void => {
  // Without the condition, SQLite writes to the file even if there is no row.
  db.exec('DELETE FROM leases WHERE true')
}

const storeOf = (
  connection: Connection,
  health: WriteHealth,
  lock: ServiceLock,
  { encryption, now }: StoreOptions,
  digestKey: string,
): Store => {
  const { db, end, read, writeNow } = connection
  // The log is there while the database is open; a file that is gone has no octets.
  const logBytes = read(() => statSync(`${db.name}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  return {
    ...storeOn(connection, encryption, digestKey, { now, logBytes }),
    // It begins when it is called, so that a store that closes awaits it.
    check: async () => {
      const written = await writeNow(() => E.right(void db.pragma('schema_version')))()
      return E.isLeft(written) ? written : health.check()
    },
    close: async () => {
      await end()
      await read(() => undefined)()
      db.close()
      lock.release()
    },
  }
}

const openOn = (
  db: Database.Database,
  lock: ServiceLock,
  options: StoreOptions,
): TE.TaskEither<StoreRefusal, Store> => {
  const { onFatal, onCommit, shared = false } = options
  const health = createWriteHealth()
  const connection = connectionTo(db, { onFatal, onCommit, health })
  const endEarlier = shared ? TE.right(undefined) : connection.writeNow(() => E.right(endLeases(db)))
  return pipe(
    digestKeyOf(db.name, connection, refusalOf(db.name), options),
    TE.tap(() => pipe(endEarlier, TE.mapLeft(refusalOf(db.name)))),
    TE.map((digestKey) => storeOf(connection, health, lock, options, digestKey)),
    TE.tapError(() => TE.fromIO(() => db.close())),
  )
}

const openLocked =
  (options: StoreOptions) =>
  (lock: ServiceLock): TE.TaskEither<StoreRefusal, Store> =>
    pipe(
      openDatabase(options.file, options.expectExisting ?? false),
      TE.flatMap((db) => openOn(db, lock, options)),
      TE.tapError(() => TE.fromIO(lock.release)),
    )

/** Locks and opens the store, or returns a refusal for people; a refused file is unchanged. */
export const openStore = (options: StoreOptions): TE.TaskEither<StoreRefusal, Store> =>
  pipe(
    TE.fromIOEither(() => (options.shared === true ? E.right(noLock) : lockService(options.file))),
    TE.tapIO(() => () => options.onLocked?.()),
    TE.flatMap(openLocked(options)),
  )
