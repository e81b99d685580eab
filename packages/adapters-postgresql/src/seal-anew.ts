// Seals values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, Store, Unavailable } from '@clientele/domain'
import { type Resealed, type SealedCounts, type SealedPages, createSealingSteps, reseal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'
import { type SealedTable, countValues, keyOf, pageOf, rewriteOf, sealedTables, textOf } from './sealed-tables.js'

const nothing: SealedCounts = { sealed: 0, unreadable: 0 }

const sum = (one: SealedCounts, other: SealedCounts): SealedCounts => ({
  sealed: one.sealed + other.sealed,
  unreadable: one.unreadable + other.unreadable,
})

const countOf = ({ kind }: Resealed): SealedCounts => ({
  sealed: kind === 'sealed' ? 1 : 0,
  unreadable: kind === 'unreadable' ? 1 : 0,
})

// A row that was replaced meanwhile has the present key already.
const write = (
  db: Database,
  table: SealedTable,
  row: unknown,
  resealed: Resealed,
): TE.TaskEither<Unavailable, SealedCounts> => {
  if (resealed.kind !== 'sealed') return TE.right(countOf(resealed))
  return db.writeOnce<never, SealedCounts>({
    run: async (query) => {
      const rows = await query(rewriteOf(table), [resealed.sealed, textOf(table, row), ...keyOf(table, row)])
      return E.right({ sealed: rows.length, unreadable: 0 })
    },
  })
}

const sealedPagesOf =
  (db: Database, encryption: Encryption) =>
  (table: SealedTable): SealedPages<unknown> => ({
    name: table.name,
    first: table.first,
    pageAfter: (key) =>
      pipe(
        db.run(pageOf(table), key),
        TE.map((rows) => (rows.length === 0 ? undefined : { rows, last: keyOf(table, rows.at(-1)) })),
      ),
    resealPage: (rows, dryRun) =>
      pipe(
        rows,
        TE.traverseSeqArray((row) =>
          pipe(
            reseal(encryption, textOf(table, row), table.contextOf(row)),
            TE.flatMap((resealed) => (dryRun ? TE.right(countOf(resealed)) : write(db, table, row, resealed))),
          ),
        ),
        TE.map((all) => all.reduce(sum, nothing)),
      ),
  })

const Counted = t.type({ values: t.string })

export const createSealAnew = (db: Database, encryption: Encryption): Pick<Store, 'sealAnew' | 'countSealed'> => {
  const step = createSealingSteps(sealedTables.map(sealedPagesOf(db, encryption)))
  return {
    sealAnew: () => step,
    countSealed: pipe(
      db.first(countValues, []),
      TE.map((row) => (Counted.is(row) ? Number(row.values) : 0)),
    ),
  }
}
