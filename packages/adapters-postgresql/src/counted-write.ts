// A write that answers with the number of rows that it changed. Others remove or consume the same rows, so that their
// absence does not prove that this write was committed: its receipt does, which is stored with it.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { randomUUID } from 'node:crypto'
import { insertAuditFrom } from './write-audit.js'
import type { Query, Statement, Values, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { isStorable } from './storable-text.js'

const selectReceipt = { name: 'select_receipt', text: 'SELECT rows FROM receipts WHERE id = $1' }

const Receipt = t.type({ rows: t.number })

// A write in doubt is asked for within seconds.
const forgetReceipts = forgetRows('receipts', "written_at < clock_timestamp() - interval '1 hour'", 100)

/**
 * A statement whose first value is the id of its receipt. `change` is a DELETE or an UPDATE, with values from $2. Where
 * the place of the first value of an audit row is given, one audit row is written with the change of any rows.
 */
export const receipted = (name: string, change: string, auditFrom?: number): Statement => ({
  name,
  text: `
WITH changed AS (${change} RETURNING 1), forgotten AS (${forgetReceipts})${
    auditFrom === undefined
      ? ''
      : `, noted AS (${insertAuditFrom('(SELECT 1 FROM changed LIMIT 1) AS any_row', auditFrom)})`
  }
INSERT INTO receipts (id, rows) SELECT $1, count(*) FROM changed RETURNING rows`,
})

const rowsOf = ([receipt]: ReadonlyArray<unknown>): O.Option<number> =>
  Receipt.is(receipt) ? O.some(receipt.rows) : O.none

const countedIn = async (query: Query, statement: Statement, values: Values): Promise<number> =>
  O.getOrElse(() => 0)(rowsOf(await query(statement, values)))

/** Commits by itself. A repetition after it was committed violates the key of its receipt, and changes nothing. */
export const countedWrite = (statement: Statement, values: Values): Write<never, number> => {
  const id = randomUUID()
  return {
    run: async (query) => E.right(isStorable(values) ? await countedIn(query, statement, [id, ...values]) : 0),
    isDone: async (query) => rowsOf(await query(selectReceipt, [id])),
  }
}
