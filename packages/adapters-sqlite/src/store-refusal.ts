import type { StoreRefusal, Unavailable } from '@clientele/domain'
import { reasonOf, storeRefusal } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt } from './attempt.js'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

const isReadOnly = (error: unknown): boolean => /^(EROFS|SQLITE_READONLY|SQLITE_CANTOPEN)/.test(codeOf(error))

/** Reading needs files beside the database as well, which SQLite writes. */
export const refusalOfReadOnly = (file: string, error: unknown): StoreRefusal | undefined =>
  isReadOnly(error)
    ? storeRefusal(
        'unusable',
        `${file} cannot be written, which reading it needs as well: mount its file system for writing, or run this as the user of its files`,
      )
    : undefined

/** The refusal for an error of SQLite. */
export const refusalOf =
  (file: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    refusalOfReadOnly(file, detail) ??
    (['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((code) => codeOf(detail).startsWith(code))
      ? storeRefusal('not-a-database', `${file} is damaged or no database: restore a backup (${reasonOf(detail)})`)
      : storeRefusal('unusable', `${file} cannot be opened: ${reasonOf(detail)}`))

/** A step of opening the file; errors of SQLite become refusals. */
export const onFile =
  (file: string) =>
  <Result>(run: () => Result): TE.TaskEither<StoreRefusal, Result> =>
    pipe(attempt(run), TE.mapLeft(refusalOf(file)))
