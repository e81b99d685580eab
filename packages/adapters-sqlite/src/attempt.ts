import { type Unavailable, unavailable } from '@clientele/domain'
import { type ReadRow, asUnavailable } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** A read; errors of SQLite become values. */
export const attempt =
  <Result>(read: () => Result): TaskEither<Unavailable, Result> =>
  () =>
    Promise.resolve(E.tryCatch(read, unavailable))

/** Decodes the selected row, if there is one. */
export const attemptRow =
  <Value>(select: () => unknown, read: ReadRow<Value>): TaskEither<Unavailable, O.Option<Value>> =>
  async () => {
    const selected = E.tryCatch(select, unavailable)
    if (E.isLeft(selected)) return selected
    if (selected.right === undefined) return E.right(O.none)
    const value = await read(selected.right)()
    return E.isLeft(value) ? E.left(asUnavailable(value.left)) : E.right(O.some(value.right))
  }

/** Decodes all selected rows; fails if one of them cannot be read. */
export const attemptRows = <Value>(
  select: () => ReadonlyArray<unknown>,
  read: ReadRow<Value>,
): TaskEither<Unavailable, ReadonlyArray<Value>> =>
  pipe(attempt(select), TE.flatMap(TE.traverseArray(read)), TE.mapLeft(asUnavailable))
