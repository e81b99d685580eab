// Opens the file with the settings that durable commits need, or refuses it.
import type { StoreRefusal } from '@clientele/domain/ports'
import { storeRefusal } from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { migrate } from './migrate.js'
import { onFile } from './failures.js'

// Before 3.51.3, a checkpoint concurrent with a writer could corrupt the database.
const oldestSqlite = [3, 51, 3]
const smallestPage = 512

const isValid = (version: string): boolean => {
  const parts = version.split('.').map(Number)
  const different = oldestSqlite.findIndex((part, place) => part !== parts[place])
  return different === -1 || (parts[different] ?? 0) > (oldestSqlite[different] ?? 0)
}

// SQLite reads a missing part of the last page as zeros. Only a crash leaves a partial page, together with a log.
const isCutOff = (file: string): boolean =>
  statSync(file).size % smallestPage !== 0 && !['-wal', '-journal'].some((suffix) => existsSync(file + suffix))

// SQLite would silently open an empty file as an empty registry.
const fileFault = (file: string, expectExisting: boolean): StoreRefusal | undefined => {
  if (!existsSync(file))
    return expectExisting
      ? storeRefusal('not-a-database', `${file} is not there: restore a backup, or name another data directory`)
      : undefined
  if (statSync(file).size === 0)
    return storeRefusal('not-a-database', `${file} is empty: restore a backup, or remove it to begin anew`)
  return isCutOff(file)
    ? storeRefusal('not-a-database', `${file} is cut off, or no database: restore a backup`)
    : undefined
}

// Settings of each connection; none of them changes the file.
const configureConnection = (db: Database.Database): void => {
  // Set on every open, because the build's default is NORMAL for an existing file.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('wal_autocheckpoint = 4000')
  db.pragma('journal_size_limit = 67108864')
}

const configureFile = (db: Database.Database): E.Either<StoreRefusal, Database.Database> => {
  chmodSync(db.name, 0o600)
  // A process that was killed in a commit leaves it readable before it is on disk: a checkpoint synchronizes the log first.
  db.pragma('wal_checkpoint(PASSIVE)')
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal')
    return E.left(storeRefusal('unusable', `${db.name} lies on a file system without shared memory: use a local disk`))
  return E.right(db)
}

const versionFault = (db: Database.Database): StoreRefusal | undefined => {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get())
  return isValid(version)
    ? undefined
    : storeRefusal('unusable', `SQLite ${version} can corrupt a database: ${oldestSqlite.join('.')} or later is needed`)
}

const configured = (db: Database.Database): StoreRefusal | undefined => {
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  configureConnection(db)
  return versionFault(db)
}

const unless = <Value>(fault: StoreRefusal | undefined, value: Value): TE.TaskEither<StoreRefusal, Value> =>
  fault === undefined ? TE.right(value) : TE.left(fault)

// Milliseconds that SQLite waits for a lock of another connection during opening.
const lockTimeout = 1_000

/** Opens and migrates the file, or refuses it and closes the connection. */
export const openDatabase = (file: string, expectExisting: boolean): TE.TaskEither<StoreRefusal, Database.Database> => {
  const work = onFile(file)
  const prepared = (db: Database.Database): TE.TaskEither<StoreRefusal, Database.Database> =>
    pipe(
      work(() => configured(db)),
      TE.flatMap((fault) => unless(fault, db)),
      TE.tap(() => migrate(db)),
      TE.flatMap(() => work(() => configureFile(db))),
      TE.flatMapEither(identity),
      TE.tapError(() => TE.fromIO(() => db.close())),
    )
  return pipe(
    work(() => fileFault(file, expectExisting)),
    TE.flatMap((fault) => unless(fault, file)),
    TE.flatMap(() => work(() => new Database(file, { timeout: lockTimeout }))),
    TE.flatMap(prepared),
  )
}
