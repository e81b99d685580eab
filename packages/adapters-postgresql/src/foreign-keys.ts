import type { Encryption, ForeignKeys } from '@clientele/domain'
import { fromForeignKeyRow, readRows, toForeignKeyRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { countedWrite, receipted } from './counted-write.js'
import type { Database } from './database.js'
import { auditValuesOf, insertAuditFrom, isWritten } from './write-audit.js'

const selectKeys = { name: 'select_foreign_keys', text: 'SELECT kid, key, proof FROM foreign_keys ORDER BY ordinal' }
const insertKeys = {
  name: 'insert_foreign_keys',
  text: `
WITH stored AS (
  INSERT INTO foreign_keys (kid, key, proof)
  SELECT kid, key, proof FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS added (kid, key, proof, place)
  ORDER BY place
)${insertAuditFrom('(SELECT 1) AS once', 4)}`,
}
// A proof has a random nonce, so that only this write made it.
const selectWritten = { name: 'select_written_keys', text: 'SELECT 1 FROM foreign_keys WHERE proof = ANY ($1::text[])' }
const deleteKey = receipted('delete_foreign_key', 'DELETE FROM foreign_keys WHERE kid = $2', 3)

export const createForeignKeys = (db: Database, encryption: Encryption): ForeignKeys => ({
  readForeignKeys: readRows(fromForeignKeyRow(encryption))(db.run(selectKeys)),
  addForeignKeys: (keys, audit) =>
    pipe(
      keys,
      TE.traverseArray(toForeignKeyRow(encryption)),
      TE.flatMap((rows) => {
        const proofs = rows.map(({ proof }) => proof)
        return db.writeOnce({
          run: async (query) => {
            const columns = [rows.map(({ kid }) => kid), rows.map(({ key }) => key), proofs]
            await query(insertKeys, [...columns, ...auditValuesOf(audit)])
            return E.right(undefined)
          },
          isDone: isWritten(audit, selectWritten, [proofs]),
        })
      }),
    ),
  removeForeignKey: (kid, audit) =>
    pipe(
      db.writeOnce(countedWrite(deleteKey, [kid, ...auditValuesOf(audit)])),
      TE.map((removed) => removed === 1),
    ),
})
