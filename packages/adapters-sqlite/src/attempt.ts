import type { Unavailable } from '@clientele/domain'
import { unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** A read; what SQLite throws becomes a value. */
export const attempt =
  <Result>(read: () => Result): TaskEither<Unavailable, Result> =>
  () =>
    Promise.resolve(E.tryCatch(read, unavailable))

/** The one row that is selected, as it is understood, if there is one. */
export const attemptRow =
  <Row, Value>(
    select: () => Row | undefined,
    understand: (row: Row) => E.Either<unknown, Value>,
  ): TaskEither<Unavailable, O.Option<Value>> =>
  () => {
    const read = E.tryCatch(() => {
      const row = select()
      return row === undefined ? undefined : understand(row)
    }, unavailable)
    if (E.isLeft(read)) return Promise.resolve(read)
    const found = read.right
    if (found === undefined) return Promise.resolve(E.right(O.none))
    return Promise.resolve(E.isLeft(found) ? E.left(unavailable(found.left)) : E.right(O.some(found.right)))
  }
