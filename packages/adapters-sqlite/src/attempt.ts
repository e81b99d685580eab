import type { Unavailable } from '@clientele/domain'
import { unavailable } from '@clientele/domain'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** A read; what SQLite throws becomes a value. */
export const attempt = <Result>(read: () => Result): TE.TaskEither<Unavailable, Result> =>
  TE.tryCatch(() => Promise.resolve().then(read), unavailable)
