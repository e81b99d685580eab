// What an error of SQLite says: about a write, and about a file that is opened.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'
import { reasonOf, refusing, storeRefusal } from '@clientele/adapters-sql'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const isBusy = (error: unknown): boolean => /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))

/** Why no write succeeds; undefined for a reason that passes, or of one write alone. */
export const reasonOfFailure = (error: unknown): string | undefined => {
  const code = codeOf(error)
  if (code.startsWith('SQLITE_FULL')) return 'the disk of the database is full: free some space'
  if (/^SQLITE_(READONLY|CANTOPEN|PERM)/.test(code))
    return 'the database cannot be written: mount its file system for writing, and run the service as the user of its files'
  return code.startsWith('SQLITE_IOERR') ? 'the disk of the database fails: see the log' : undefined
}

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

/** Steps of opening the file; errors of SQLite become refusals. */
export const onFile =
  (file: string) =>
  <Result>(steps: () => Result | Promise<Result>): TaskEither<StoreRefusal, Result> =>
    refusing(steps, (error) => refusalOf(file)(unavailable(error)))
