// A copy of the database while a service writes to it, by SQLite's online backup.
import type { StoreRefusal } from '@clientele/domain/ports'
import { reasonOf, storeRefusal } from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { applicationId } from './migrate.js'
import { codeOf, refusalOf } from './failures.js'

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
export const copyDatabase = async (from: string, to: string): Promise<StoreRefusal | undefined> => {
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
export const makeEmpty = (file: string): void => closeSync(openSync(file, 'wx', 0o600))

export const sync = (path: string): void => {
  const file = openSync(path, 'r')
  fsyncSync(file)
  closeSync(file)
}

const reportOn = (file: string): BackupReport => {
  const db = readOnly(file)
  try {
    const schema = Number(db.pragma('user_version', { simple: true }))
    return {
      file,
      bytes: statSync(file).size,
      schema,
      clients: Number(db.prepare('SELECT count(*) FROM clients').pluck().get()),
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
