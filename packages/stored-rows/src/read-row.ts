import { type Unavailable, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'

/** The row is not as the store wrote it. The detail names a column or part, without its contents. */
export type UnreadableRow = { readonly error: 'unreadable_row'; readonly detail: string }

export const unreadableRow = (detail: string): UnreadableRow => ({ error: 'unreadable_row', detail })

/** Decodes a row, after its statement and outside of transactions, because it may decrypt. */
export type ReadRow<Value> = (row: unknown) => TE.TaskEither<UnreadableRow | Unavailable, Value>

/** An unreadable row makes the store unavailable. */
const asUnavailable = (failure: UnreadableRow | Unavailable): Unavailable =>
  failure.error === 'unreadable_row' ? unavailable(failure.detail) : failure

type Selected<Result> = TE.TaskEither<Unavailable, Result>

/** Decodes the selected row; none where it is undefined. */
export const readRow =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<unknown>): Selected<O.Option<Value>> =>
  async () => {
    const row = await selected()
    if (E.isLeft(row)) return row
    if (row.right === undefined) return E.right(O.none)
    const value = await read(row.right)()
    return E.isLeft(value) ? E.left(asUnavailable(value.left)) : E.right(O.some(value.right))
  }

/** Decodes all selected rows; fails if one of them cannot be read. */
export const readRows =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<ReadonlyArray<unknown>>): Selected<ReadonlyArray<Value>> =>
    pipe(selected, TE.flatMap(TE.traverseArray(read)), TE.mapLeft(asUnavailable))

const ifReadable =
  <Value>(read: ReadRow<Value>) =>
  (row: unknown): Selected<O.Option<Value>> =>
    pipe(
      read(row),
      TE.matchE(
        (failure) => (failure.error === 'unreadable_row' ? TE.right(O.none) : TE.left(failure)),
        (value) => TE.right(O.some(value)),
      ),
    )

/** Decodes the rows that can be read; the others must not hide them. */
export const readReadableRows =
  <Value>(read: ReadRow<Value>) =>
  (selected: Selected<ReadonlyArray<unknown>>): Selected<ReadonlyArray<Value>> =>
    pipe(selected, TE.flatMap(TE.traverseArray(ifReadable(read))), TE.map(RA.compact))
