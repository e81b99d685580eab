// Opens the file with the promises that every commit depends on, or refuses it as it lies there.
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { migrate } from './migrations/migrate.js'
import type { Sealing } from '@clientele/domain'
import type { StoreRefusal } from './store-refusal.js'
import { codeOf, reasonOf, storeRefusal } from './store-refusal.js'

// Before 3.51.3 a checkpoint beside a writer could corrupt the database.
const oldestSqlite = [3, 51, 3]
const smallestPage = 512

const isSound = (version: string): boolean => {
  const parts = version.split('.').map(Number)
  const different = oldestSqlite.findIndex((part, place) => part !== parts[place])
  return different === -1 || (parts[different] ?? 0) > (oldestSqlite[different] ?? 0)
}

const refusalOf =
  (file: string) =>
  (error: unknown): StoreRefusal =>
    ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((code) => codeOf(error).startsWith(code))
      ? storeRefusal('not-a-database', `${file} is damaged or no database: restore a backup (${reasonOf(error)})`)
      : storeRefusal('unusable', `${file} cannot be opened: ${reasonOf(error)}`)

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
  // So that no wait blocks the event loop, SQLite does not wait; the write queue tries again.
  db.pragma('busy_timeout = 0')
  db.pragma('wal_autocheckpoint = 4000')
  db.pragma('journal_size_limit = 67108864')
}

const configureFile = (db: Database.Database): E.Either<StoreRefusal, Database.Database> => {
  chmodSync(db.name, 0o600)
  return db.pragma('journal_mode = WAL', { simple: true }) === 'wal'
    ? E.right(db)
    : E.left(storeRefusal('unusable', `${db.name} lies on a file system without shared memory: use a local disk`))
}

const versionFault = (db: Database.Database): StoreRefusal | undefined => {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get())
  return isSound(version)
    ? undefined
    : storeRefusal('unusable', `SQLite ${version} can corrupt a database: ${oldestSqlite.join('.')} or later is needed`)
}

const prepare = (db: Database.Database, sealing: Sealing): E.Either<StoreRefusal, Database.Database> => {
  db.prepare('SELECT count(*) FROM sqlite_schema').get()
  configureConnection(db)
  const fault = versionFault(db)
  return pipe(
    fault === undefined ? migrate(db, sealing) : E.left(fault),
    E.flatMap(() => configureFile(db)),
  )
}

const connect = (file: string, sealing: Sealing): E.Either<StoreRefusal, Database.Database> => {
  const db = new Database(file, { timeout: 1_000 })
  return pipe(
    E.tryCatch(() => prepare(db, sealing), refusalOf(file)),
    E.flatten,
    E.mapLeft((refusal) => {
      db.close()
      return refusal
    }),
  )
}

/** Opens and migrates the file, or says why not; a connection that is refused is closed. */
export const openDatabase = (
  file: string,
  expectExisting: boolean,
  sealing: Sealing,
): E.Either<StoreRefusal, Database.Database> => {
  const fault = fileFault(file, expectExisting)
  if (fault !== undefined) return E.left(fault)
  return pipe(
    E.tryCatch(() => connect(file, sealing), refusalOf(file)),
    E.flatten,
  )
}
