// Seals all values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, SealedAnew, Unavailable } from '@clientele/domain'
import { reseal } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type ResealRow, resealTables } from './reseal-table.js'
import { sealedTables } from './sealed-tables.js'
import type { WriteQueue } from './write-queue.js'

const sealRow =
  (encryption: Encryption): ResealRow =>
  (table, row) =>
    reseal(encryption, String(row[table.column]), table.contextOf(row))

export const createSealAnew = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): TE.TaskEither<Unavailable, SealedAnew> =>
  resealTables(db, sealedTables, sealRow(encryption), (run) => queue.write(() => E.right(run())))
