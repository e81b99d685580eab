import type { InitialAccessToken, InitialAccessTokens } from '@clientele/domain'
import { EpochSeconds, TokenHash, parseRegistrationScope } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt, attemptRow } from './attempt.js'
import type { Sealing } from '@clientele/domain'
import { isProven, prove, rowContext } from './row-context.js'
import type { WriteQueue } from './write-queue.js'

const insertToken = 'INSERT INTO initial_access_tokens (hash, scope, expires_at, proof) VALUES (?, ?, ?, ?)'
const forgetExpired = 'DELETE FROM initial_access_tokens WHERE expires_at <= ?'
const selectToken = 'SELECT * FROM initial_access_tokens WHERE hash = ?'
const selectInForce = 'SELECT * FROM initial_access_tokens WHERE expires_at > ? ORDER BY expires_at, hash LIMIT ?'
const deleteToken = 'DELETE FROM initial_access_tokens WHERE hash = ?'

/** A row of the table initial_access_tokens. */
export const TokenRow = t.type({ hash: TokenHash, scope: t.string, expires_at: EpochSeconds, proof: t.string })

/** The context of the proof of a token: a wider scope or a later end of the same token is not proven. */
export const tokenContext = ({
  hash,
  scope,
  expires_at,
}: Pick<InitialAccessToken, 'hash' | 'scope' | 'expires_at'>): string =>
  rowContext('initial_access_tokens', [hash, scope, expires_at])

const fromRow =
  (sealing: Sealing) =>
  (row: unknown): E.Either<string, InitialAccessToken> =>
    pipe(
      TokenRow.decode(row),
      E.filterOrElseW(
        (token) => isProven(sealing, token.proof, tokenContext(token)),
        () => 'not as it was written',
      ),
      E.bindTo('token'),
      E.bindW('issued', ({ token }) => parseRegistrationScope(token.scope)),
      E.map(({ token: { hash, expires_at }, issued }) => ({ ...issued, hash, expires_at })),
      E.mapLeft(() => 'an initial access token cannot be read'),
    )

export const createInitialAccessTokens = (
  db: Database.Database,
  queue: WriteQueue,
  sealing: Sealing,
): InitialAccessTokens => {
  const insert = db.prepare(insertToken)
  const forget = db.prepare(forgetExpired)
  const select = db.prepare(selectToken)
  const inForce = db.prepare(selectInForce)
  const remove = db.prepare(deleteToken)
  const read = fromRow(sealing)
  return {
    addInitialAccessToken: (token, at) =>
      queue.write(() => {
        forget.run(at)
        insert.run(token.hash, token.scope, token.expires_at, prove(sealing, tokenContext(token)))
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => attemptRow(() => select.get(hash), read),
    listInitialAccessTokens: (at, most) =>
      pipe(
        attempt(() => inForce.all(at, Math.max(0, most))),
        // A token that cannot be read registers nothing, and must not hide the others.
        TE.map((rows) => pipe(rows.map(read), RA.rights)),
      ),
    removeInitialAccessToken: (hash) => queue.write(() => E.right(remove.run(hash).changes === 1)),
  }
}
