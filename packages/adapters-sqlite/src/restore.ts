// Takes a backup into use: verified before anything is replaced, and without what may have been spent since.
import type { StoreRefusal } from '@clientele/domain/ports'
import { forgottenTables, storeRefusal } from '@clientele/adapters-sql'
import Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { closeSync, existsSync, linkSync, openSync, readSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { sync } from './backup.js'
import { lockService } from './service-lock.js'
import { codeOf } from './failures.js'
import {
  type BackupContents,
  type Draft,
  type RestoreOptions,
  restoreFailure,
  verifiedDraft,
  withDraft,
} from './verify-backup.js'

const forget = ({ db }: Draft): void => {
  db.transaction(() => {
    for (const table of forgottenTables) db.exec(`DELETE FROM ${table}`)
  }).immediate()
  // One file, so that its replacement is one step.
  db.pragma('journal_mode = DELETE')
  db.close()
  sync(db.name)
}

const isBusy = (error: unknown): boolean => codeOf(error).startsWith('SQLITE_BUSY')

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
    return !isBusy(error)
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
