import type { SealedAnew, Unavailable } from '@clientele/domain'
import type { Resealed } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt } from './attempt.js'
import { type SealedRow, type SealedTable, createPages, createRewrite } from './sealed-tables.js'

export type ResealRow = (table: SealedTable, row: SealedRow) => TE.TaskEither<Unavailable, Resealed>

/** Runs in a transaction of its own. */
type InTransaction = <Result>(run: () => Result) => TE.TaskEither<Unavailable, Result>

const nothing: SealedAnew = { sealed: 0, unreadable: 0 }

const sum = (one: SealedAnew, other: SealedAnew): SealedAnew => ({
  sealed: one.sealed + other.sealed,
  unreadable: one.unreadable + other.unreadable,
})

type Statements = {
  readonly pageAfter: ReturnType<typeof createPages>
  readonly rewrite: ReturnType<typeof createRewrite>
}

const write =
  ({ rewrite }: Statements, rows: ReadonlyArray<SealedRow>) =>
  (resealed: ReadonlyArray<Resealed>) =>
  (): SealedAnew =>
    rows.reduce<SealedAnew>((done, row, place) => {
      const each = resealed[place]
      return sum(done, {
        sealed: each?.kind === 'sealed' ? rewrite(row, each.sealed) : 0,
        unreadable: each?.kind === 'unreadable' ? 1 : 0,
      })
    }, nothing)

/**
 * Works page by page, each in its own commit, so that other writes run in between. A row is decrypted and sealed before
 * the transaction, which writes it if it is unchanged: a row that was replaced meanwhile has the present key already.
 */
const resealTable =
  (resealRow: ResealRow, inTransaction: InTransaction, table: SealedTable) =>
  (statements: Statements): TE.TaskEither<Unavailable, SealedAnew> =>
  async () => {
    let done = nothing
    let after: SealedTable['first'] | undefined = table.first
    while (after !== undefined) {
      const from: SealedTable['first'] = after
      const page = await attempt(() => statements.pageAfter(from))()
      if (E.isLeft(page)) return page
      const rows = page.right?.rows ?? []
      const resealed = await pipe(
        rows,
        TE.traverseArray((row) => resealRow(table, row)),
        TE.map(write(statements, rows)),
        TE.flatMap(inTransaction),
      )()
      if (E.isLeft(resealed)) return resealed
      done = sum(done, resealed.right)
      after = page.right?.last
    }
    return E.right(done)
  }

/** One table after the other. */
export const resealTables = (
  db: Database.Database,
  tables: ReadonlyArray<SealedTable>,
  resealRow: ResealRow,
  inTransaction: InTransaction,
): TE.TaskEither<Unavailable, SealedAnew> =>
  pipe(
    tables,
    TE.traverseSeqArray((table) =>
      pipe(
        attempt(() => ({ pageAfter: createPages(db, table), rewrite: createRewrite(db, table) })),
        TE.flatMap(resealTable(resealRow, inTransaction, table)),
      ),
    ),
    TE.map((all) => all.reduce(sum, nothing)),
  )
