import { type Encryption, type ForeignKeys } from '@clientele/domain'
import { fromForeignKeyRow, readRows, toForeignKeyRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Connection } from './connection.js'
import { createWriteAudit } from './write-audit.js'

const selectKeys = 'SELECT kid, key, proof FROM foreign_keys ORDER BY ordinal'
const insertKey = 'INSERT INTO foreign_keys (kid, key, proof) VALUES (@kid, @key, @proof)'
const deleteKey = 'DELETE FROM foreign_keys WHERE kid = ?'

export const createForeignKeys = ({ db, read, queue }: Connection, encryption: Encryption): ForeignKeys => {
  const all = db.prepare(selectKeys)
  const insert = db.prepare(insertKey)
  const remove = db.prepare(deleteKey)
  const { write } = createWriteAudit(db)
  return {
    readForeignKeys: readRows(fromForeignKeyRow(encryption))(read(() => all.all())),
    addForeignKeys: (keys, audit) =>
      queue.writePrepared(pipe(keys, TE.traverseArray(toForeignKeyRow(encryption))), (rows) => {
        for (const row of rows) insert.run(row)
        write(audit)
        return E.right(undefined)
      }),
    removeForeignKey: (kid, audit) =>
      queue.write(() => {
        const removed = remove.run(kid).changes === 1
        if (removed) write(audit)
        return E.right(removed)
      }),
  }
}
