import { type Encryption, type InitialAccessTokens, unknownClient } from '@clientele/domain'
import { fromTokenRow, issuerText, prove, readReadableRows, readRow, tokenContext } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { createWriteAudit } from './write-audit.js'

const insertToken =
  'INSERT INTO initial_access_tokens (hash, scope, expires_at, owner, issued_by, proof) VALUES (?, ?, ?, ?, ?, ?)'
const forgetExpired = 'DELETE FROM initial_access_tokens WHERE expires_at <= ?'
const selectTokens = `
SELECT hash, scope, expires_at, client_id, registration_id, issued_by, proof
FROM initial_access_tokens LEFT JOIN clients ON clients.ordinal = owner`
const selectToken = `${selectTokens} WHERE hash = ?`
const selectInForce = `${selectTokens} WHERE expires_at > ? ORDER BY expires_at, hash LIMIT ?`
const deleteToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

export const createInitialAccessTokens = (
  { db, read, queue }: Connection,
  encryption: Encryption,
): InitialAccessTokens => {
  const ordinalOf = createRegisteredOrdinal(db)
  const insert = db.prepare(insertToken)
  const forget = db.prepare(forgetExpired)
  const select = db.prepare(selectToken)
  const inForce = db.prepare(selectInForce)
  const remove = db.prepare(deleteToken)
  const { write } = createWriteAudit(db)
  const fromRow = fromTokenRow(encryption)
  return {
    addInitialAccessToken: (token, at, audit) =>
      queue.writePrepared(prove(encryption, tokenContext(token)), (proof) => {
        const owner = token.owner === undefined ? null : ordinalOf(token.owner)
        if (owner === undefined) return E.left(unknownClient)
        forget.run(at)
        const issuer = token.issued_by === undefined ? null : issuerText(token.issued_by)
        insert.run(token.hash, token.scope, token.expires_at, owner, issuer, proof)
        write(audit)
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => readRow(fromRow)(read(() => select.get(hash))),
    // An unreadable token registers no client.
    listInitialAccessTokens: (at, most) => readReadableRows(fromRow)(read(() => inForce.all(at, Math.max(0, most)))),
    removeInitialAccessToken: (hash, audit) =>
      queue.write(() => {
        const removed = remove.run(hash).changes === 1
        if (removed) write(audit)
        return E.right(removed)
      }),
  }
}
