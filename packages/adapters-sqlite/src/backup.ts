// A backup: a copy of the database while a service writes to it, by SQLite's online backup; its verification as a whole (a
// copy of it is sound, of a known schema, and the keys open all of its values); and its restoration.
import type { Encryption, SealedAnew, StoreRefusal } from '@clientele/domain/ports'
import {
  type Engine,
  type Forgotten,
  digestKeyOf,
  encryptionUnavailable,
  forgottenBy,
  forgottenTables,
  reasonOf,
  storeRefusal,
  verifyAll,
} from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
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
import { applicationId } from './migrate.js'
import { openDatabase } from './open-database.js'
import { schemaDifferences } from './inspect-database.js'
import { lockService } from './service-lock.js'

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

/** The error of a database that this service did not write. */
const foreign = (file: string): StoreRefusal =>
  storeRefusal('foreign-schema', `${file} is no database of this service: name another file`)

const whole = (db: Database.Database): boolean => db.pragma('integrity_check', { simple: true }) === 'ok'

const damaged = (file: string): StoreRefusal =>
  storeRefusal('not-a-database', `${file} is damaged: take an earlier backup`)

/** Copies `from`, with its log, into the empty file `to`, which is one file afterwards. */
const copyDatabase = async (from: string, to: string): Promise<StoreRefusal | undefined> => {
  const source = readOnly(from)
  try {
    if (!isOurs(source)) return foreign(from)
    await source.backup(to, { progress: () => allPages })
  } finally {
    source.close()
  }
  const copy = new Database(to)
  try {
    copy.pragma('journal_mode = DELETE')
    return whole(copy) ? undefined : damaged(from)
  } finally {
    copy.close()
  }
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

const reportOn = (file: string): BackupReport => {
  const db = readOnly(file)
  try {
    const schema = Number(db.pragma('user_version', { simple: true }))
    return {
      file,
      bytes: statSync(file).size,
      schema,
      clients: countOf(db, 'clients'),
    }
  } finally {
    db.close()
  }
}

const taken = (file: string): StoreRefusal =>
  storeRefusal('unusable', `${file} is there already: name a new file, because a backup replaces nothing`)

const failure =
  (from: string, to: string) =>
  (error: unknown): StoreRefusal => {
    if (codeOf(error) === 'EEXIST') return taken(to)
    return codeOf(error).startsWith('SQLITE')
      ? refusalOf(from)({ error: 'unavailable', detail: error })
      : storeRefusal('unusable', `${to} cannot be written: ${reasonOf(error)}`)
  }

const write = async (from: string, to: string): Promise<StoreRefusal | undefined> => {
  if (existsSync(to)) return taken(to)
  const draft = `${to}.${randomBytes(6).toString('hex')}.tmp`
  makeEmpty(draft)
  try {
    const refusal = await copyDatabase(from, draft)
    if (refusal !== undefined) return refusal
    sync(draft)
    // A link never replaces a file that was made meanwhile.
    linkSync(draft, to)
    sync(dirname(to))
    return undefined
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(draft + suffix, { force: true })
  }
}

/** Writes a new file of mode 0600 with a state that the service has acknowledged; a refusal leaves no file. */
export const backUp = (from: string, to: string): TE.TaskEither<StoreRefusal, BackupReport> =>
  pipe(
    TE.tryCatch(() => write(from, to), failure(from, to)),
    TE.flatMap((refusal) =>
      refusal === undefined ? TE.tryCatch(() => Promise.resolve(reportOn(to)), failure(from, to)) : TE.left(refusal),
    ),
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

// A draft belongs to this process alone, and ends with it.
const engineOn = (db: Database.Database): Engine => connectionTo(db, { onFatal: () => undefined })

const withoutDigestKey = (backup: string): StoreRefusal =>
  storeRefusal('foreign-schema', `${backup} was never used by a service: take another backup`)

const changedSchema = (backup: string, differences: ReadonlyArray<string>): StoreRefusal =>
  storeRefusal(
    'foreign-schema',
    `${backup} has another schema than this service makes: ${differences.join(', ')}. Take another backup, or undo this in a copy of it`,
  )

const unreadable = (backup: string, { unreadable: count }: SealedAnew): StoreRefusal =>
  storeRefusal(
    'wrong-encryption-key',
    `${count} values of ${backup} are opened by no key of encryption-key: give the keys of the time of the backup as well, ` +
      'or take another backup',
  )

/** Verifies that the keys open all values of a migrated draft. */
const contentsOf = (
  db: Database.Database,
  { backup, encryption }: RestoreOptions,
): TE.TaskEither<StoreRefusal, BackupContents> =>
  pipe(
    onFile(backup)(() => schemaDifferences(db)),
    TE.filterOrElse(
      (differences) => differences.length === 0,
      (differences) => changedSchema(backup, differences),
    ),
    TE.filterOrElse(
      () => countOf(db, 'secrets') > 0,
      () => withoutDigestKey(backup),
    ),
    TE.flatMap(() => digestKeyOf(backup, engineOn(db), refusalOf(backup), { encryption, generateKey: () => '' })),
    TE.flatMap(() => pipe(verifyAll(engineOn(db), encryption), TE.mapLeft(encryptionUnavailable(backup)))),
    TE.filterOrElse(
      (found) => found.unreadable === 0,
      (found) => unreadable(backup, found),
    ),
    TE.map(({ sealed }) => ({
      clients: countOf(db, 'clients'),
      sealed_otherwise: sealed,
      forgotten: forgottenBy((table) => countOf(db, table)),
    })),
  )

/** The refusal for an error of the file system or of SQLite. */
const restoreFailure =
  ({ backup, file }: RestoreOptions) =>
  (error: unknown): StoreRefusal => {
    const refusal = refusalOf(backup)({ error: 'unavailable', detail: error })
    return refusal.refusal === 'not-a-database'
      ? refusal
      : storeRefusal('unusable', `${backup} cannot be restored to ${file}: ${reasonOf(error)}`)
  }

const isThere = ({ backup }: RestoreOptions): E.Either<StoreRefusal, void> =>
  existsSync(backup)
    ? E.right(undefined)
    : E.left(storeRefusal('unusable', `${backup} does not exist: name a file of clientele backup`))

const copied = (options: RestoreOptions, draft: string): TE.TaskEither<StoreRefusal, void> =>
  pipe(
    TE.tryCatch(async () => {
      makeEmpty(draft)
      return copyDatabase(options.backup, draft)
    }, restoreFailure(options)),
    TE.flatMap((refusal) => (refusal === undefined ? TE.right(undefined) : TE.left(refusal))),
  )

// Messages name the backup, not the draft.
const about =
  (draft: string, backup: string) =>
  ({ refusal, message }: StoreRefusal): StoreRefusal => ({ refusal, message: message.replaceAll(draft, backup) })

/** A verified copy of the backup, migrated and open. */
const verifiedDraft = (options: RestoreOptions, draft: string): TE.TaskEither<StoreRefusal, Draft> =>
  pipe(
    TE.fromEither(isThere(options)),
    TE.flatMap(() => copied(options, draft)),
    TE.flatMap(() => openDatabase(draft, true)),
    TE.flatMap((db) =>
      pipe(
        contentsOf(db, options),
        TE.map((contents) => ({ db, contents })),
        TE.tapError(() => TE.fromIO(() => db.close())),
      ),
    ),
    TE.mapLeft(about(draft, options.backup)),
  )

/** Runs with the path of a draft beside the database, and removes its directory afterwards. */
const withDraft =
  <Result>(options: RestoreOptions, run: (draft: string) => TE.TaskEither<StoreRefusal, Result>) =>
  async (): Promise<E.Either<StoreRefusal, Result>> => {
    const made = E.tryCatch(() => mkdtempSync(`${options.file}.restore-`), restoreFailure(options))
    if (E.isLeft(made)) return made
    try {
      return await run(join(made.right, 'draft.db'))()
    } finally {
      rmSync(made.right, { recursive: true, force: true })
    }
  }

/** Verifies the backup, and changes nothing; beside a running service, too. */
export const verifyBackup = (options: RestoreOptions): TE.TaskEither<StoreRefusal, BackupContents> =>
  withDraft(options, (draft) =>
    pipe(
      verifiedDraft(options, draft),
      TE.map(({ db, contents }) => {
        db.close()
        return contents
      }),
    ),
  )

/** Leaves out what may have been spent since the backup. */
const forget = ({ db }: Draft): void => {
  db.transaction(() => {
    for (const table of forgottenTables) db.exec(`DELETE FROM ${table}`)
  }).immediate()
  // One file, so that its replacement is one step.
  db.pragma('journal_mode = DELETE')
  db.close()
  sync(db.name)
}

// Checkpoints the log: false where another process has the database open. The log of a damaged one is moved.
const settleLog = (file: string): boolean => {
  const db = new Database(file, { timeout: 0 })
  try {
    return db.pragma('journal_mode = DELETE', { simple: true }) === 'delete'
  } finally {
    db.close()
  }
}

const beginningOf = (path: string): string => {
  const file = openSync(path, 'r')
  try {
    const octets = Buffer.alloc(15)
    readSync(file, octets)
    return octets.toString('latin1')
  } finally {
    closeSync(file)
  }
}

// https://www.sqlite.org/fileformat.html §1.3: how every database begins
const isDatabase = (file: string): boolean => beginningOf(file) === 'SQLite format 3'

const settled = (file: string): boolean => {
  try {
    return !existsSync(file) || !isDatabase(file) || settleLog(file)
  } catch (error) {
    return !codeOf(error).startsWith('SQLITE_BUSY')
  }
}

const openElsewhere = (file: string): StoreRefusal =>
  storeRefusal('in-use', `${file} is open in another process, such as a replication: stop that one, and restore then`)

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

const asideOf = (file: string, at: Date): string => `${file}.replaced-${at.toISOString().replaceAll(/[^\dTZ]/g, '')}`

const takenIntoUse =
  (options: RestoreOptions, draft: string, at: Date) =>
  (made: Draft): TE.TaskEither<StoreRefusal, Restored> =>
    pipe(
      E.tryCatch(() => {
        forget(made)
        return settled(options.file)
      }, restoreFailure(options)),
      E.filterOrElse(
        (isSettled) => isSettled,
        () => openElsewhere(options.file),
      ),
      E.flatMap(() =>
        E.tryCatch(() => replace(draft, options.file, asideOf(options.file, at)), restoreFailure(options)),
      ),
      E.map((hadOne) => (hadOne ? { ...made.contents, replaced: asideOf(options.file, at) } : made.contents)),
      TE.fromEither,
    )

/** Puts the backup in the place of the database; refused while a service runs on it. */
export const restoreBackup = (options: RestoreOptions, at: Date): TE.TaskEither<StoreRefusal, Restored> =>
  pipe(
    TE.fromIOEither(() => lockService(options.file)),
    TE.flatMap((lock) =>
      pipe(
        withDraft(options, (draft) =>
          pipe(verifiedDraft(options, draft), TE.flatMap(takenIntoUse(options, draft, at))),
        ),
        TE.tapIO(() => lock.release),
        TE.tapError(() => TE.fromIO(lock.release)),
      ),
    ),
  )
