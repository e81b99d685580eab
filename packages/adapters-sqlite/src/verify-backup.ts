// Verifies a backup as a whole: a copy of it is sound, of a known schema, and the keys open all of its values.
import type { Encryption, SealedAnew, StoreRefusal } from '@clientele/domain/ports'
import {
  type Engine,
  type Forgotten,
  digestKeyOf,
  encryptionUnavailable,
  forgottenBy,
  reasonOf,
  storeRefusal,
  verifyAll,
} from '@clientele/adapters-sql'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase, makeEmpty } from './backup.js'
import { connectionTo } from './engine.js'
import { openDatabase } from './open-database.js'
import { schemaDifferences } from './schema-differences.js'
import { onFile, refusalOf } from './failures.js'

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

export type Draft = { readonly db: Database.Database; readonly contents: BackupContents }

const countOf = (db: Database.Database, table: string): number =>
  Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())

const forgottenOf = (db: Database.Database): Forgotten => forgottenBy((table) => countOf(db, table))

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
      forgotten: forgottenOf(db),
    })),
  )

/** The refusal for an error of the file system or of SQLite. */
export const restoreFailure =
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
export const verifiedDraft = (options: RestoreOptions, draft: string): TE.TaskEither<StoreRefusal, Draft> =>
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
export const withDraft =
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
