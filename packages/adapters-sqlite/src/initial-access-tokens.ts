import type { InitialAccessToken, InitialAccessTokens } from '@clientele/domain'
import { EpochSeconds, TokenHash, parseRegistrationScope } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attemptRow } from './attempt.js'
import type { WriteQueue } from './write-queue.js'

const insertToken = 'INSERT INTO initial_access_tokens (hash, scope, expires_at, spent) VALUES (?, ?, ?, ?)'
const forgetExpired = 'DELETE FROM initial_access_tokens WHERE expires_at <= ?'
const selectToken = 'SELECT * FROM initial_access_tokens WHERE hash = ?'

const TokenRow = t.type({ hash: TokenHash, scope: t.string, expires_at: EpochSeconds, spent: t.number })

const fromRow = (row: unknown): E.Either<unknown, InitialAccessToken> =>
  pipe(
    TokenRow.decode(row),
    E.bindTo('row'),
    E.bindW('issued', ({ row }) => parseRegistrationScope(row.scope)),
    E.map(({ row, issued }) => ({ ...issued, hash: row.hash, expires_at: row.expires_at, spent: row.spent !== 0 })),
    E.mapLeft(() => 'an initial access token cannot be read'),
  )

export const createInitialAccessTokens = (db: Database.Database, queue: WriteQueue): InitialAccessTokens => {
  const [insert, forget, select] = [db.prepare(insertToken), db.prepare(forgetExpired), db.prepare(selectToken)]
  return {
    addInitialAccessToken: ({ hash, scope, expires_at, spent }, at) =>
      queue.write(() => {
        forget.run(at)
        insert.run(hash, scope, expires_at, spent ? 1 : 0)
        return E.right(undefined)
      }),
    findInitialAccessToken: (hash) => attemptRow(() => select.get(hash), fromRow),
  }
}
