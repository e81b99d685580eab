// Opens the file with the promises that every commit depends on, or refuses it as it lies there.
import type { Encryption, StoreRefusal } from '@clientele/domain'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { migrate } from './migrations/migrate.js'
import { onFile, storeRefusal } from './store-refusal.js'

// Before 3.51.3 a checkpoint beside a writer could corrupt the database.
const oldestSqlite = [3, 51, 3]
const smallestPage = 512

const isSound = (version: string): boolean => {
  const parts = version.split('.').map(Number)
  const different = oldestSqlite.findIndex((part, place) => part !== parts[place])
  return different === -1 || (parts[different] ?? 0) > (oldestSqlite[different] ?? 0)
}

// Because SQLite reads what is missing of the last page as zeros. A crash may leave a part of a page, but then with a log.
const isCutOff = (file: string): boolean =>
  statSync(file).size % smallestPage !== 0 && !['-wal', '-journal'].some((suffix) => existsSync(file + suffix))

// An empty file where a database was expected would silently become an empty registry.
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

// Each connection has these; none of them changes the file.
const configureConnection = (db: Database.Database): void => {
  // Because the build's default falls back to NORMAL on a file that exists, FULL is set on every open.
  db.pragma('synchronous = FULL')
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON')
  db.pragma('trusted_schema = OFF')
  db.pragma('wal_autocheckpoint = 4000')
  db.pragma('journal_size_limit = 67108864')
}

const configureFile = (db: Database.Database): E.Either<StoreRefusal, Database.Database> => {
  chmodSync(db.name, 0o600)
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal')
    return E.left(storeRefusal('unusable', `${db.name} lies on a file system without shared memory: use a local disk`))
  return E.right(db)
}

const versionFault = (db: Database.Database): StoreRefusal | undefined => {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get())
  return isSound(version)
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

// While it is opened, SQLite waits a second for a lock that another connection holds.
const lockTimeout = 1_000

/** Opens and migrates the file, or says why not; a connection that is refused is closed. */
export const openDatabase = (
  file: string,
  expectExisting: boolean,
  encryption: Encryption,
): TE.TaskEither<StoreRefusal, Database.Database> => {
  const work = onFile(file)
  const prepared = (db: Database.Database): TE.TaskEither<StoreRefusal, Database.Database> =>
    pipe(
      work(() => configured(db)),
      TE.flatMap((fault) => unless(fault, db)),
      TE.tap(() => migrate(db, encryption)),
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
