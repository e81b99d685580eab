import type { StoreRefusal, Unavailable } from '@clientele/domain'
import { reasonOf, storeRefusal } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt } from './attempt.js'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The refusal for an error of SQLite. */
export const refusalOf =
  (file: string) =>
  ({ detail }: Unavailable): StoreRefusal =>
    ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].some((code) => codeOf(detail).startsWith(code))
      ? storeRefusal('not-a-database', `${file} is damaged or no database: restore a backup (${reasonOf(detail)})`)
      : storeRefusal('unusable', `${file} cannot be opened: ${reasonOf(detail)}`)

/** A step of opening the file; errors of SQLite become refusals. */
export const onFile =
  (file: string) =>
  <Result>(run: () => Result): TE.TaskEither<StoreRefusal, Result> =>
    pipe(attempt(run), TE.mapLeft(refusalOf(file)))
