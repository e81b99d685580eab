// Seals all values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, SealedAnew, Unavailable } from '@clientele/domain'
import { type Resealed, reseal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database, Rows } from './database.js'
import { type SealedTable, keyOf, pageOf, rewriteOf, sealedTables, textOf } from './sealed-tables.js'

const nothing: SealedAnew = { sealed: 0, unreadable: 0 }

const sum = (one: SealedAnew, other: SealedAnew): SealedAnew => ({
  sealed: one.sealed + other.sealed,
  unreadable: one.unreadable + other.unreadable,
})

// A row that was replaced meanwhile has the present key already.
const write =
  (db: Database, table: SealedTable) =>
  (row: unknown, resealed: Resealed): TE.TaskEither<Unavailable, SealedAnew> => {
    if (resealed.kind !== 'sealed') return TE.right({ sealed: 0, unreadable: resealed.kind === 'unreadable' ? 1 : 0 })
    return db.writeOnce<never, SealedAnew>({
      run: async (query) => {
        const rows = await query(rewriteOf(table), [resealed.sealed, textOf(table, row), ...keyOf(table, row)])
        return E.right({ sealed: rows.length, unreadable: 0 })
      },
    })
  }

const resealPage = (
  db: Database,
  encryption: Encryption,
  table: SealedTable,
  rows: Rows,
): TE.TaskEither<Unavailable, SealedAnew> =>
  pipe(
    rows,
    TE.traverseSeqArray((row) =>
      pipe(
        reseal(encryption, textOf(table, row), table.contextOf(row)),
        TE.flatMap((resealed) => write(db, table)(row, resealed)),
      ),
    ),
    TE.map((all) => all.reduce(sum, nothing)),
  )

/** Page by page, so that other operations run in between. */
const resealTable =
  (db: Database, encryption: Encryption) =>
  (table: SealedTable): TE.TaskEither<Unavailable, SealedAnew> =>
  async () => {
    let done = nothing
    let after = table.first
    for (;;) {
      const rows = await db.run(pageOf(table), after)()
      if (E.isLeft(rows)) return rows
      const last = rows.right.at(-1)
      if (last === undefined) return E.right(done)
      const resealed = await resealPage(db, encryption, table, rows.right)()
      if (E.isLeft(resealed)) return resealed
      done = sum(done, resealed.right)
      after = keyOf(table, last)
    }
  }

export const createSealAnew = (db: Database, encryption: Encryption): TE.TaskEither<Unavailable, SealedAnew> =>
  pipe(
    sealedTables,
    TE.traverseSeqArray(resealTable(db, encryption)),
    TE.map((all) => all.reduce(sum, nothing)),
  )
