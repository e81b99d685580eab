// A backup: a copy of the database while a service writes to it, by SQLite's online backup; its verification as a whole (a
// copy of it is sound, of a known schema, and the keys open all of its values); and its restoration.
import type { Encryption, SealedAnew, StoreRefusal } from '@clientele/domain/ports'
import {
  type Forgotten,
  Refused,
  digestKeyOf,
  encryptionUnavailable,
  forgottenBy,
  forgottenTables,
  orRefuse,
  reasonOf,
  refuse,
  refusing,
  storeRefusal,
  verifyAll,
} from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { identity } from 'fp-ts/lib/function.js'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { connectionTo } from './engine.js'
import { codeOf, onFile, refusalOf } from './failures.js'
import { lockService, openDatabase } from './open-store.js'
import { applicationId, closing, schemaDifferences } from './schema.js'

export type BackupReport = {
  readonly file: string
  readonly bytes: number
  readonly schema: number
  readonly clients: number
}

// All pages in one step: SQLite begins anew after each write of another process between two steps.
const allPages = 0x7fff_ffff

/** Milliseconds that the copy waits for a lock of the service. */
const lockTimeout = 5_000

const readOnly = (file: string): Database.Database =>
  new Database(file, { readonly: true, fileMustExist: true, timeout: lockTimeout })

const isOurs = (db: Database.Database): boolean =>
  Number(db.pragma('application_id', { simple: true })) === applicationId

/** Copies `from`, with its log, into the empty file `to`, which is one file afterwards. */
const copyDatabase = async (from: string, to: string): Promise<void> => {
  const source = readOnly(from)
  try {
    if (!isOurs(source)) refuse('foreign-schema', `${from} is no database of this service: name another file`)
    await source.backup(to, { progress: () => allPages })
  } finally {
    source.close()
  }
  closing(new Database(to), (copy) => {
    copy.pragma('journal_mode = DELETE')
    if (copy.pragma('integrity_check', { simple: true }) !== 'ok')
      refuse('not-a-database', `${from} is damaged: take an earlier backup`)
  })
}

/** Makes an empty file that its owner alone can read; fails if there is one. */
const makeEmpty = (file: string): void => closeSync(openSync(file, 'wx', 0o600))

const sync = (path: string): void => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

const countOf = (db: Database.Database, table: string): number =>
  Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())

const reportOn = (file: string): BackupReport =>
  closing(readOnly(file), (db) => ({
    file,
    bytes: statSync(file).size,
    schema: Number(db.pragma('user_version', { simple: true })),
    clients: countOf(db, 'clients'),
  }))

const taken = (file: string): StoreRefusal =>
  storeRefusal('unusable', `${file} is there already: name a new file, because a backup replaces nothing`)

/** Writes a new file of mode 0600 with a state that the service has acknowledged; a refusal leaves no file. */
export const backUp = (from: string, to: string): TaskEither<StoreRefusal, BackupReport> =>
  refusing(
    async () => {
      if (existsSync(to)) throw new Refused(taken(to))
      const draft = `${to}.${randomBytes(6).toString('hex')}.tmp`
      makeEmpty(draft)
      try {
        await copyDatabase(from, draft)
        sync(draft)
        // A link never replaces a file that was made meanwhile.
        linkSync(draft, to)
        sync(dirname(to))
      } finally {
        for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
      }
      return reportOn(to)
    },
    (error) => {
      if (codeOf(error) === 'EEXIST') return taken(to)
      return codeOf(error).startsWith('SQLITE')
        ? refusalOf(from)({ error: 'unavailable', detail: error })
        : storeRefusal('unusable', `${to} cannot be written: ${reasonOf(error)}`)
    },
  )

export type BackupContents = {
  readonly clients: number
  /** Values that another key than the first one sealed. */
  readonly sealed_otherwise: number
  /** The rows of what a restored database leaves out. */
  readonly forgotten: Forgotten
}

export type RestoreOptions = {
  readonly backup: string
  /** The database of the service. */
  readonly file: string
  readonly encryption: Encryption
}

type Draft = { readonly db: Database.Database; readonly contents: BackupContents }

const unreadable = (backup: string, { unreadable: count }: SealedAnew): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `${count} values of ${backup} are opened by no key of encryption-key. Either they were sealed with another key: give the keys of the time of the backup as well. ` +
      'Or the backup is damaged, or was changed by somebody: take another backup',
  )

/** Verifies that the keys open all values of a migrated draft. */
const contentsOf = async (db: Database.Database, { backup, encryption }: RestoreOptions): Promise<BackupContents> => {
  const differences = await orRefuse(
    onFile(backup)(() => schemaDifferences(db)),
    identity,
  )
  if (differences.length > 0)
    refuse(
      'foreign-schema',
      `${backup} has another schema than this service makes: ${differences.join(', ')}. Take another backup, or undo this in a copy of it`,
    )
  if (countOf(db, 'secrets') === 0)
    refuse('foreign-schema', `${backup} was never used by a service: take another backup`)
  // A draft belongs to this process alone, and ends with it.
  const engine = connectionTo(db, { onFatal: () => undefined })
  await digestKeyOf(backup, engine, refusalOf(backup), { encryption, generateKey: () => '' })
  const found = await orRefuse(verifyAll(engine, encryption), encryptionUnavailable(backup))
  if (found.unreadable > 0) throw new Refused(unreadable(backup, found))
  return {
    clients: countOf(db, 'clients'),
    sealed_otherwise: found.sealed,
    forgotten: forgottenBy((table) => countOf(db, table)),
  }
}

/** The refusal for an error of the file system or of SQLite. */
const restoreFailure =
  ({ backup, file }: RestoreOptions) =>
  (error: unknown): StoreRefusal => {
    const refusal = refusalOf(backup)({ error: 'unavailable', detail: error })
    return refusal.refusal === 'not-a-database'
      ? refusal
      : storeRefusal('unusable', `${backup} cannot be restored to ${file}: ${reasonOf(error)}`)
  }

/** A verified copy of the backup, migrated and open. */
const verifiedDraft = (options: RestoreOptions, draft: string): TaskEither<StoreRefusal, Draft> =>
  refusing(async () => {
    const { backup } = options
    if (!existsSync(backup)) refuse('unusable', `${backup} does not exist: name a file of clientele backup`)
    makeEmpty(draft)
    await copyDatabase(backup, draft)
    const db = await orRefuse(openDatabase(draft, true), identity)
    try {
      return { db, contents: await contentsOf(db, options) }
    } catch (error) {
      db.close()
      throw error
    }
  }, restoreFailure(options))

/** Runs with a verified draft beside the database, and removes its directory afterwards. */
const withDraft = async <Result>(options: RestoreOptions, run: (made: Draft) => Result): Promise<Result> => {
  const directory = mkdtempSync(`${options.file}.restore-`)
  const draft = join(directory, 'draft.db')
  try {
    // Messages name the backup, not the draft.
    const made = await orRefuse(verifiedDraft(options, draft), ({ refusal, message }) => ({
      refusal,
      message: message.replaceAll(draft, options.backup),
    }))
    return run(made)
  } finally {
    try {
      rmSync(directory, { recursive: true, force: true })
    } catch {
      // A directory that stays says nothing about the restoration.
    }
  }
}

/** Verifies the backup, and changes nothing; beside a running service, too. */
export const verifyBackup = (options: RestoreOptions): TaskEither<StoreRefusal, BackupContents> =>
  refusing(
    () =>
      withDraft(options, ({ db, contents }) => {
        db.close()
        return contents
      }),
    restoreFailure(options),
  )

/** Leaves out what may have been spent since the backup. */
const forget = (db: Database.Database): void => {
  db.transaction(() => {
    for (const table of forgottenTables) db.exec(`DELETE FROM ${table}`)
  }).immediate()
  // One file, so that its replacement is one step.
  db.pragma('journal_mode = DELETE')
  db.close()
  sync(db.name)
}

// Checkpoints the log: false where another process has the database open. The log of a damaged one is moved.
const settleLog = (file: string): boolean =>
  closing(new Database(file, { timeout: 0 }), (db) => db.pragma('journal_mode = DELETE', { simple: true }) === 'delete')

// https://www.sqlite.org/fileformat.html §1.3: how every database begins
const isDatabase = (path: string): boolean => {
  const file = openSync(path, 'r')
  try {
    const octets = Buffer.alloc(15)
    readSync(file, octets)
    return octets.toString('latin1') === 'SQLite format 3'
  } finally {
    closeSync(file)
  }
}

const settled = (file: string): boolean => {
  try {
    return !existsSync(file) || !isDatabase(file) || settleLog(file)
  } catch (error) {
    return !codeOf(error).startsWith('SQLITE_BUSY')
  }
}

// The log of a replaced database must not be taken for that of the restored one.
const replace = (draft: string, file: string, aside: string): boolean => {
  const hadOne = existsSync(file)
  for (const suffix of ['-wal', '-shm', '-journal'])
    if (existsSync(file + suffix)) renameSync(file + suffix, aside + suffix)
  if (hadOne) linkSync(file, aside)
  renameSync(draft, file)
  sync(dirname(file))
  return hadOne
}

export type Restored = BackupContents & {
  /** Where the database is that was replaced, if there was one. */
  readonly replaced?: string
}

/** Puts the backup in the place of the database; refused while a service runs on it. */
export const restoreBackup = (options: RestoreOptions, at: Date): TaskEither<StoreRefusal, Restored> =>
  refusing(async () => {
    const { file } = options
    const release = lockService(file)
    try {
      return await withDraft(options, ({ db, contents }) => {
        forget(db)
        if (!settled(file))
          refuse('in-use', `${file} is open in another process, such as a replication: stop that one, and restore then`)
        const aside = `${file}.replaced-${at.toISOString().replaceAll(/[^\dTZ]/g, '')}`
        return replace(db.name, file, aside) ? { ...contents, replaced: aside } : contents
      })
    } finally {
      release()
    }
  }, restoreFailure(options))
