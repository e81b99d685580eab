import type { Unavailable } from '@clientele/domain'
import type { Resealed, SealedCounts, SealedPages } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReadTogether } from './read-together.js'
import { type SealedRow, type SealedTable, createPages, createRewrite } from './sealed-tables.js'

export type ResealRow = (table: SealedTable, row: SealedRow) => TE.TaskEither<Unavailable, Resealed>

/** Runs in a transaction of its own. */
export type InTransaction = <Result>(run: () => Result) => TE.TaskEither<Unavailable, Result>

export type ResealParts = {
  readonly read: ReadTogether
  readonly inTransaction: InTransaction
  readonly resealRow: ResealRow
}

const countsOf = (resealed: ReadonlyArray<Resealed>): SealedCounts => ({
  sealed: resealed.filter(({ kind }) => kind === 'sealed').length,
  unreadable: resealed.filter(({ kind }) => kind === 'unreadable').length,
})

const write =
  (rewrite: ReturnType<typeof createRewrite>, rows: ReadonlyArray<SealedRow>, resealed: ReadonlyArray<Resealed>) =>
  (): SealedCounts => ({
    ...countsOf(resealed),
    sealed: rows.reduce((count, row, place) => {
      const each = resealed[place]
      return count + (each?.kind === 'sealed' ? rewrite(row, each.sealed) : 0)
    }, 0),
  })

/**
 * Each page has its own commit, so that other writes run in between. A row is decrypted and sealed before the
 * transaction, which writes it if it is unchanged: a row that was replaced meanwhile has the present key already.
 */
export const sealedPagesOf =
  (db: Database.Database, { read, inTransaction, resealRow }: ResealParts) =>
  (table: SealedTable): SealedPages<SealedRow> => {
    // Prepared at their first use: migrations change the tables before.
    const prepared: { pageAfter?: ReturnType<typeof createPages>; rewrite?: ReturnType<typeof createRewrite> } = {}
    return {
      name: table.name,
      first: table.first,
      pageAfter: (key) => read(() => (prepared.pageAfter ??= createPages(db, table))(key)),
      resealPage: (rows, dryRun) =>
        pipe(
          rows,
          TE.traverseArray((row) => resealRow(table, row)),
          TE.flatMap((resealed): TE.TaskEither<Unavailable, SealedCounts> => {
            const counts = countsOf(resealed)
            if (dryRun || counts.sealed === 0) return TE.right(counts)
            return inTransaction(() => write((prepared.rewrite ??= createRewrite(db, table)), rows, resealed)())
          }),
        ),
    }
  }
