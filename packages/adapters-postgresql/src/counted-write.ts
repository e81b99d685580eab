// A write that answers with the number of rows that it changed.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Statement, Values, Write } from './database.js'
import { isStorable } from './storable-text.js'

/** `left` finds rows until the write is committed. Another write of the same rows has the same effect. */
export const countedWrite = (
  write: Statement,
  values: Values,
  left: Statement,
  leftValues: Values = values,
): Write<never, number> => {
  const changed = { rows: 0, inDoubt: 0 }
  return {
    run: async (query) => {
      if (!isStorable(values)) return E.right(0)
      changed.rows = (await query(write, values)).length
      // Without rows, the write that was in doubt has taken effect meanwhile.
      return E.right(changed.rows === 0 ? changed.inDoubt : changed.rows)
    },
    isDone: async (query) => {
      changed.inDoubt = Math.max(changed.inDoubt, changed.rows)
      return (await query(left, leftValues)).length === 0 ? O.some(changed.inDoubt) : O.none
    },
  }
}
