// Seals values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, Store, Unavailable } from '@clientele/domain'
import { type Resealed, type SealedCounts, type SealedPages, createSealingSteps, reseal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'
import {
  type SealedTable,
  countValues,
  firstKey,
  keyOf,
  pageOf,
  rewriteOf,
  rewrittenOf,
  sealedTables,
  textOf,
} from './sealed-tables.js'

const countOf = (resealed: ReadonlyArray<Resealed>, of: Resealed['kind']): number =>
  resealed.filter(({ kind }) => kind === of).length

// The columns of the statement: the new texts, the texts that were read, and the parts of the keys.
const valuesOf = (
  table: SealedTable,
  rows: ReadonlyArray<unknown>,
  resealed: ReadonlyArray<Resealed>,
): ReadonlyArray<ReadonlyArray<string>> => {
  const written = rows.flatMap((row, place) => {
    const each = resealed[place]
    return each?.kind === 'sealed' ? [[each.sealed, textOf(table, row), ...keyOf(table, row)]] : []
  })
  return ['sealed', 'read', ...table.key].map((_, column) => written.map((values) => values[column] ?? ''))
}

// One statement, which leaves out a row that was replaced meanwhile: it has the present key already.
const write = (
  db: Database,
  table: SealedTable,
  values: ReadonlyArray<ReadonlyArray<string>>,
): TE.TaskEither<Unavailable, number> =>
  db.writeOnce<never, number>({
    run: async (query) => E.right((await query(rewriteOf(table), values)).length),
    isDone: async (query) => {
      const rows = await query(rewrittenOf(table), values)
      return rows.length === 0 ? O.none : O.some(rows.length)
    },
  })

const sealedPagesOf =
  (db: Database, encryption: Encryption) =>
  (table: SealedTable): SealedPages<unknown> => ({
    name: table.name,
    first: firstKey(table),
    pageAfter: (key) =>
      pipe(
        db.run(pageOf(table), key),
        TE.map((rows) => (rows.length === 0 ? undefined : { rows, last: keyOf(table, rows.at(-1)) })),
      ),
    resealPage: (rows, dryRun) =>
      pipe(
        rows,
        TE.traverseArray((row) => reseal(encryption, textOf(table, row), table.contextOf(row))),
        TE.flatMap((resealed): TE.TaskEither<Unavailable, SealedCounts> => {
          const counts = { sealed: countOf(resealed, 'sealed'), unreadable: countOf(resealed, 'unreadable') }
          if (dryRun || counts.sealed === 0) return TE.right(counts)
          return pipe(
            write(db, table, valuesOf(table, rows, resealed)),
            TE.map((sealed) => ({ ...counts, sealed })),
          )
        }),
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
