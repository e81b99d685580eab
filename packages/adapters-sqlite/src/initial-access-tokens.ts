import type { Encryption, InitialAccessTokens } from '@clientele/domain'
import { fromTokenRow, prove, readReadableRows, readRow, tokenContext } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'

const insertToken = 'INSERT INTO initial_access_tokens (hash, scope, expires_at, proof) VALUES (?, ?, ?, ?)'
const forgetExpired = 'DELETE FROM initial_access_tokens WHERE expires_at <= ?'
const selectToken = 'SELECT * FROM initial_access_tokens WHERE hash = ?'
const selectInForce = 'SELECT * FROM initial_access_tokens WHERE expires_at > ? ORDER BY expires_at, hash LIMIT ?'
const deleteToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

export const createInitialAccessTokens = (
  { db, read, queue }: Connection,
  encryption: Encryption,
): InitialAccessTokens => {
  const insert = db.prepare(insertToken)
  const forget = db.prepare(forgetExpired)
  const select = db.prepare(selectToken)
  const inForce = db.prepare(selectInForce)
  const remove = db.prepare(deleteToken)
  const fromRow = fromTokenRow(encryption)
  return {
    addInitialAccessToken: (token, at) =>
      queue.writePrepared(prove(encryption, tokenContext(token)), (proof) => {
        forget.run(at)
        insert.run(token.hash, token.scope, token.expires_at, proof)
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => readRow(fromRow)(read(() => select.get(hash))),
    // An unreadable token registers no client.
    listInitialAccessTokens: (at, most) => readReadableRows(fromRow)(read(() => inForce.all(at, Math.max(0, most)))),
    removeInitialAccessToken: (hash) => queue.write(() => E.right(remove.run(hash).changes === 1)),
  }
}
