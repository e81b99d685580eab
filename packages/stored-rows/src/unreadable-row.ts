import { type Unavailable, unavailable } from '@clientele/domain'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

/** The row is not as the store wrote it. The detail names a column or part, without its contents. */
export type UnreadableRow = { readonly error: 'unreadable_row'; readonly detail: string }

export const unreadableRow = (detail: string): UnreadableRow => ({ error: 'unreadable_row', detail })

/** Decodes a row, after its statement and outside of transactions, because it may decrypt. */
export type ReadRow<Value> = (row: unknown) => TaskEither<UnreadableRow | Unavailable, Value>

/** An unreadable row makes the store unavailable. */
export const asUnavailable = (failure: UnreadableRow | Unavailable): Unavailable =>
  failure.error === 'unreadable_row' ? unavailable(failure.detail) : failure
