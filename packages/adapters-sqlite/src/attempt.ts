import { type Unavailable, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** A read; what SQLite throws becomes a value. */
export const attempt =
  <Result>(read: () => Result): TaskEither<Unavailable, Result> =>
  () =>
    Promise.resolve(E.tryCatch(read, unavailable))

/** The row is not as the store wrote it. The detail names a part of it, and tells nothing that it holds. */
export type UnreadableRow = { readonly error: 'unreadable_row'; readonly detail: string }

export const unreadableRow = (detail: string): UnreadableRow => ({ error: 'unreadable_row', detail })

/** What is in a row. It is opened after the statement that selected it, and outside of every transaction. */
export type ReadRow<Value> = (row: unknown) => TaskEither<UnreadableRow | Unavailable, Value>

/** A row that cannot be read is a store that cannot answer. */
export const asUnavailable = (failure: UnreadableRow | Unavailable): Unavailable =>
  failure.error === 'unreadable_row' ? unavailable(failure.detail) : failure

/** What is in the one row that is selected, if there is one. */
export const attemptRow =
  <Value>(select: () => unknown, read: ReadRow<Value>): TaskEither<Unavailable, O.Option<Value>> =>
  async () => {
    const selected = E.tryCatch(select, unavailable)
    if (E.isLeft(selected)) return selected
    if (selected.right === undefined) return E.right(O.none)
    const value = await read(selected.right)()
    return E.isLeft(value) ? E.left(asUnavailable(value.left)) : E.right(O.some(value.right))
  }

/** What is in all rows that are selected; nothing where one of them cannot be read. */
export const attemptRows = <Value>(
  select: () => ReadonlyArray<unknown>,
  read: ReadRow<Value>,
): TaskEither<Unavailable, ReadonlyArray<Value>> =>
  pipe(attempt(select), TE.flatMap(TE.traverseArray(read)), TE.mapLeft(asUnavailable))
