// Everything that is sealed, sealed with the key that seals now: after a change of the encryption key the others may go.
import type { Unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { SealedRow, SealedTable } from './sealed-tables.js'
import { createPages, createRewrite, sealedTables } from './sealed-tables.js'
import type { Sealing } from '@clientele/domain'
import type { WriteQueue } from './write-queue.js'

/** How many values were sealed anew, and how many could not be opened with any key and stay as they are. */
export type SealedAnew = { readonly sealed: number; readonly unreadable: number }

const nothing: SealedAnew = { sealed: 0, unreadable: 0 }

const sealedTextOf = ({ column }: SealedTable, row: SealedRow): string => String(row[column])

/** The same value under the key that seals now, if it can be opened. */
const sealRow = (sealing: Sealing, table: SealedTable, row: SealedRow): O.Option<string> =>
  pipe(
    table.contextOf(row),
    O.flatMap((context) =>
      pipe(
        sealing.open(sealedTextOf(table, row), context),
        O.map((plain) => sealing.seal(plain, context)),
      ),
    ),
  )

const sealRows = (db: Database.Database, sealing: Sealing, table: SealedTable) => {
  const rewrite = createRewrite(db, table)
  return (rows: ReadonlyArray<SealedRow>): SealedAnew =>
    rows
      .filter((row) => !sealing.isCurrent(sealedTextOf(table, row)))
      .reduce<SealedAnew>(({ sealed, unreadable }, row) => {
        const anew = sealRow(sealing, table, row)
        if (O.isNone(anew)) return { sealed, unreadable: unreadable + 1 }
        rewrite(row, anew.value)
        return { sealed: sealed + 1, unreadable }
      }, nothing)
}

/** Page by page, each in a commit of its own, so that others write in between; asked again, it goes on where it was ended. */
export const createSealAnew =
  (db: Database.Database, queue: WriteQueue, sealing: Sealing): TaskEither<Unavailable, SealedAnew> =>
  async () => {
    let done = nothing
    for (const table of sealedTables) {
      const pageAfter = createPages(db, table)
      const seal = sealRows(db, sealing, table)
      let after: ReadonlyArray<string | number> | undefined = table.first
      while (after !== undefined) {
        const from: ReadonlyArray<string | number> = after
        const page = await queue.write(() => {
          const found = pageAfter(from)
          return E.right(found === undefined ? undefined : { last: found.last, done: seal(found.rows) })
        })()
        if (E.isLeft(page)) return page
        after = page.right?.last
        const { sealed, unreadable } = page.right?.done ?? nothing
        done = { sealed: done.sealed + sealed, unreadable: done.unreadable + unreadable }
      }
    }
    return E.right(done)
  }
