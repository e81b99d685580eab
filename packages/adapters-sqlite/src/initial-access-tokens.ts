import { type Encryption, type InitialAccessToken, type InitialAccessTokens, type Unavailable } from '@clientele/domain'
import { type ReadRow, fromTokenRow, prove, tokenContext } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt, attemptRow } from './attempt.js'
import type { WriteQueue } from './write-queue.js'

const insertToken = 'INSERT INTO initial_access_tokens (hash, scope, expires_at, proof) VALUES (?, ?, ?, ?)'
const forgetExpired = 'DELETE FROM initial_access_tokens WHERE expires_at <= ?'
const selectToken = 'SELECT * FROM initial_access_tokens WHERE hash = ?'
const selectInForce = 'SELECT * FROM initial_access_tokens WHERE expires_at > ? ORDER BY expires_at, hash LIMIT ?'
const deleteToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

// An unreadable token registers no client, and must not hide the others.
const ifReadable =
  (read: ReadRow<InitialAccessToken>) =>
  (row: unknown): TE.TaskEither<Unavailable, O.Option<InitialAccessToken>> =>
    pipe(
      read(row),
      TE.matchE(
        (failure) => (failure.error === 'unreadable_row' ? TE.right(O.none) : TE.left(failure)),
        (token) => TE.right(O.some(token)),
      ),
    )

export const createInitialAccessTokens = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): InitialAccessTokens => {
  const insert = db.prepare(insertToken)
  const forget = db.prepare(forgetExpired)
  const select = db.prepare(selectToken)
  const inForce = db.prepare(selectInForce)
  const remove = db.prepare(deleteToken)
  const read = fromTokenRow(encryption)
  return {
    addInitialAccessToken: (token, at) =>
      queue.writePrepared(prove(encryption, tokenContext(token)), (proof) => {
        forget.run(at)
        insert.run(token.hash, token.scope, token.expires_at, proof)
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => attemptRow(() => select.get(hash), read),
    listInitialAccessTokens: (at, most) =>
      pipe(
        attempt(() => inForce.all(at, Math.max(0, most))),
        TE.flatMap(TE.traverseArray(ifReadable(read))),
        TE.map(RA.compact),
      ),
    removeInitialAccessToken: (hash) => queue.write(() => E.right(remove.run(hash).changes === 1)),
  }
}
