import type Database from 'better-sqlite3'
import type * as E from 'fp-ts/lib/Either.js'
import type { RememberedRows } from './remembered-rows.js'
import { createRevision } from './revision.js'

/** What is in the row of that name, if there is one, and if it is the one that is asked for. */
export type FindRow<Value> = (
  name: string,
  select: () => unknown,
  isAsked?: (value: Value) => boolean,
) => E.Either<string, Value> | undefined

/** Finds a row by selecting it; where nobody has written since it was read, without. */
export const createFindRow = <Value>(
  db: Database.Database,
  { readAt, read }: RememberedRows<Value>,
): FindRow<Value> => {
  const revision = createRevision(db)
  return (name, select, isAsked) => {
    // Asked before the row is selected, so that the row is not older.
    const at = revision()
    const known = at === undefined ? undefined : readAt(name, at, isAsked)
    if (known !== undefined) return known
    const row = select()
    return row === undefined ? undefined : read(row, at)
  }
}
