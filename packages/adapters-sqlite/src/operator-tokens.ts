import type { Encryption, OperatorTokens } from '@clientele/domain'
import {
  fromOperatorTokenRow,
  operatorTokenContext,
  prove,
  readReadableRows,
  readRow,
  toOperatorTokenRow,
} from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createWriteAudit } from './write-audit.js'

const insertToken = `
INSERT INTO operator_tokens (hash, privileges, name, issued_at, expires_at, issued_by, proof)
VALUES (@hash, @privileges, @name, @issued_at, @expires_at, @issued_by, @proof)`
const selectTokens = 'SELECT hash, privileges, name, issued_at, expires_at, issued_by, proof FROM operator_tokens'

export const createOperatorTokens = ({ db, read, queue }: Connection, encryption: Encryption): OperatorTokens => {
  const insert = db.prepare(insertToken)
  const forget = db.prepare('DELETE FROM operator_tokens WHERE expires_at <= ?')
  const select = db.prepare(`${selectTokens} WHERE hash = ?`)
  const inForce = db.prepare(`${selectTokens} WHERE expires_at > ? ORDER BY expires_at, hash LIMIT ?`)
  const remove = db.prepare('DELETE FROM operator_tokens WHERE hash = ?')
  const { write } = createWriteAudit(db)
  const fromRow = fromOperatorTokenRow(encryption)
  return {
    addOperatorToken: (token, at, audit) => {
      const row = toOperatorTokenRow(token)
      return queue.writePrepared(prove(encryption, operatorTokenContext(row)), (proof) => {
        forget.run(at)
        insert.run(Object.assign({ proof }, row))
        write(audit)
        return E.right(undefined)
      })
    },
    findOperatorToken: (hash) => readRow(fromRow)(read(() => select.get(hash))),
    // An unreadable token authorizes nothing.
    listOperatorTokens: (at, most) => readReadableRows(fromRow)(read(() => inForce.all(at, Math.max(0, most)))),
    removeOperatorToken: (hash, audit) =>
      queue.write(() => {
        const removed = remove.run(hash).changes === 1
        if (removed) write(audit)
        return E.right(removed)
      }),
  }
}
