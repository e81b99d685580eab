// Seals values with the present key; after a change of the encryption key, the earlier keys can be removed then.
import type { Encryption, Store } from '@clientele/domain'
import { createSealingSteps, reseal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { type ResealRow, sealedPagesOf } from './reseal-table.js'
import { sealedTables } from './sealed-tables.js'

const sealRow =
  (encryption: Encryption): ResealRow =>
  (table, row) =>
    reseal(encryption, String(row[table.column]), table.contextOf(row))

const counts = sealedTables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ')

export const createSealAnew = (
  { db, read, queue }: Connection,
  encryption: Encryption,
): Pick<Store, 'sealAnew' | 'countSealed'> => {
  const step = createSealingSteps(
    sealedTables.map(
      sealedPagesOf(db, {
        read,
        inTransaction: (run) => queue.write(() => E.right(run())),
        resealRow: sealRow(encryption),
      }),
    ),
  )
  const count = db.prepare(`SELECT ${counts}`).pluck()
  return { sealAnew: () => step, countSealed: read(() => Number(count.get())) }
}
