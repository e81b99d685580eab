// Seals all values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, SealedAnew, Unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Resealed, type ResealRow, resealTables } from './reseal-table.js'
import { sealedTables } from './sealed-tables.js'
import type { WriteQueue } from './write-queue.js'

const unreadable: Resealed = { kind: 'unreadable' }
const current: Resealed = { kind: 'current' }

const openAndSeal = ({ open, seal }: Encryption, text: string, context: string): TE.TaskEither<Unavailable, Resealed> =>
  pipe(
    open(text, context),
    TE.flatMap((opened) =>
      O.isNone(opened)
        ? TE.right(unreadable)
        : pipe(
            seal(opened.value, context),
            TE.map((sealed): Resealed => ({ kind: 'sealed', sealed })),
          ),
    ),
  )

const sealRow =
  (encryption: Encryption): ResealRow =>
  (table, row) => {
    const text = String(row[table.column])
    const context = table.contextOf(row)
    return pipe(
      encryption.isCurrent(text),
      TE.flatMap((isCurrent) => {
        if (isCurrent) return TE.right(current)
        return O.isNone(context) ? TE.right(unreadable) : openAndSeal(encryption, text, context.value)
      }),
    )
  }

export const createSealAnew = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): TE.TaskEither<Unavailable, SealedAnew> =>
  resealTables(db, sealedTables, sealRow(encryption), (run) => queue.write(() => E.right(run())))
