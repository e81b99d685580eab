// Opens the store of a file: with the settings that durable commits need, and for one service at a time.
import type { Encryption, Store, StoreNeeds, StoreRefusal } from '@clientele/domain/ports'
import {
  Refused,
  createWriteHealth,
  digestKeyOf,
  openDigestKey,
  orRefuse,
  reasonOf,
  refuse,
  refusing,
  storeOn,
  storeRefusal,
} from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { identity } from 'fp-ts/lib/function.js'
import { chmodSync, existsSync, statSync } from 'node:fs'
import { connectionTo } from './engine.js'
import { codeOf, onFile, refusalOf, refusalOfReadOnly } from './failures.js'
import { isNew, migrate } from './schema.js'

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
const requireWhole = (file: string, expectExisting: boolean): void => {
  if (!existsSync(file) && expectExisting)
    refuse('not-a-database', `${file} is not there: restore a backup, or name another data directory`)
  if (!existsSync(file)) return
  if (statSync(file).size === 0)
    refuse('not-a-database', `${file} is empty: restore a backup, or remove it to begin anew`)
  if (isCutOff(file)) refuse('not-a-database', `${file} is cut off, or no database: restore a backup`)
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

const configureFile = (db: Database.Database): void => {
  chmodSync(db.name, 0o600)
  // A process that was killed in a commit leaves it readable before it is on disk: a checkpoint synchronizes the log first.
  db.pragma('wal_checkpoint(PASSIVE)')
  if (db.pragma('journal_mode = WAL', { simple: true }) !== 'wal')
    refuse('unusable', `${db.name} lies on a file system without shared memory: use a local disk`)
}

const requireVersion = (db: Database.Database): void => {
  const version = String(db.prepare('SELECT sqlite_version()').pluck().get())
  if (!isValid(version))
    refuse('unusable', `SQLite ${version} can corrupt a database: ${oldestSqlite.join('.')} or later is needed`)
}

// Milliseconds that SQLite waits for a lock of another connection during opening.
const lockTimeout = 1_000

// Every schema of a release has it. There is none where the service has never started.
const requireKey = async (db: Database.Database, encryption: Encryption): Promise<void> => {
  const sealed = db.prepare("SELECT sealed FROM secrets WHERE name = 'digest-key'").pluck().get()
  if (typeof sealed === 'string') await openDigestKey(db.name, sealed, encryption)
}

/** Opens and migrates the file, or refuses it as it is and closes the connection: also one that `encryption` does not open. */
export const openDatabase = (
  file: string,
  expectExisting: boolean,
  encryption?: Encryption,
): TaskEither<StoreRefusal, Database.Database> =>
  onFile(file)(async () => {
    requireWhole(file, expectExisting)
    const db = new Database(file, { timeout: lockTimeout })
    try {
      db.prepare('SELECT count(*) FROM sqlite_schema').get()
      configureConnection(db)
      requireVersion(db)
      if (!isNew(db) && encryption !== undefined) await requireKey(db, encryption)
      configureFile(db)
      migrate(db)
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })

// References to the locks: garbage collection would release them.
const locks = new Set<Database.Database>()

/**
 * One service per database, by an exclusive transaction on a second file for the lifetime of the process; returns its release. The
 * operating system releases it when the process ends in any way; the database itself stays readable for backups and replicas.
 */
export const lockService = (file: string): (() => void) => {
  try {
    const lock = new Database(`${file}.lock`, { timeout: 0 })
    try {
      chmodSync(lock.name, 0o600)
      lock.pragma('journal_mode = MEMORY')
      lock.exec('BEGIN EXCLUSIVE')
    } catch (error) {
      lock.close()
      throw error
    }
    locks.add(lock)
    return () => {
      locks.delete(lock)
      lock.close()
    }
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_BUSY'))
      refuse('in-use', `${file} is in use by another service: stop that one, or name another data directory`)
    throw new Refused(
      refusalOfReadOnly(file, error) ?? storeRefusal('unusable', `${file}.lock cannot be locked: ${reasonOf(error)}`),
    )
  }
}

export type StoreOptions = StoreNeeds & {
  readonly file: string
  /** Called when this process has locked the file, before anything else; not where it is shared. */
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

const storeOf = async (db: Database.Database, release: () => void, options: StoreOptions): Promise<Store> => {
  const { encryption, now, onFatal, onCommit, shared = false } = options
  const health = createWriteHealth()
  const connection = connectionTo(db, { onFatal, onCommit, health })
  const { end, read, writeNow } = connection
  const digestKey = await digestKeyOf(db.name, connection, refusalOf(db.name), options)
  if (!shared)
    await orRefuse(
      writeNow(() => E.right(endLeases(db))),
      refusalOf(db.name),
    )
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
      release()
    },
  }
}

/** Locks and opens the store, or returns a refusal for people; a refused file is unchanged. */
export const openStore = (options: StoreOptions): TaskEither<StoreRefusal, Store> =>
  refusing(async () => {
    const release = options.shared === true ? () => undefined : lockService(options.file)
    try {
      if (options.shared !== true) options.onLocked?.()
      const db = await orRefuse(
        openDatabase(options.file, options.expectExisting ?? false, options.encryption),
        identity,
      )
      try {
        return await storeOf(db, release, options)
      } catch (error) {
        db.close()
        throw error
      }
    } catch (error) {
      release()
      throw error
    }
  })
