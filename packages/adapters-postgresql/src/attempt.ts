import type { Unavailable } from '@clientele/domain'
import { type ReadRow, asUnavailable } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Rows } from './database.js'

/** Decodes the selected row; none where it is undefined. */
export const readSelected =
  <Value>(read: ReadRow<Value>) =>
  (selected: TE.TaskEither<Unavailable, unknown>): TE.TaskEither<Unavailable, O.Option<Value>> =>
  async () => {
    const row = await selected()
    if (E.isLeft(row)) return row
    if (row.right === undefined) return E.right(O.none)
    const value = await read(row.right)()
    return E.isLeft(value) ? E.left(asUnavailable(value.left)) : E.right(O.some(value.right))
  }

/** Decodes the first selected row, if there is one. */
export const readRow =
  <Value>(read: ReadRow<Value>) =>
  (selected: TE.TaskEither<Unavailable, Rows>): TE.TaskEither<Unavailable, O.Option<Value>> =>
    pipe(
      selected,
      TE.map(([row]) => row),
      readSelected(read),
    )

/** Decodes all selected rows; fails if one of them cannot be read. */
export const readRows =
  <Value>(read: ReadRow<Value>) =>
  (selected: TE.TaskEither<Unavailable, Rows>): TE.TaskEither<Unavailable, ReadonlyArray<Value>> =>
    pipe(selected, TE.flatMap(TE.traverseArray(read)), TE.mapLeft(asUnavailable))
