import { type Unavailable, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** Runs now; errors of SQLite become values. */
export const attempt =
  <Result>(run: () => Result): TaskEither<Unavailable, Result> =>
  () =>
    Promise.resolve(E.tryCatch(run, unavailable))
