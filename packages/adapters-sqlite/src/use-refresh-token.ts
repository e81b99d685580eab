import {
  type AlreadyConsumed,
  type RefreshTokenUse,
  type TokenHash,
  alreadyConsumed,
  decideRefreshTokenUse,
} from '@clientele/domain'
import { fromRefreshTokenRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'

const selectUses = `
SELECT hash, predecessor, consumed_at, successor FROM artefacts WHERE kind = 'refresh_token' AND hash = ?`
const consume = "UPDATE artefacts SET consumed_at = ? WHERE kind = 'refresh_token' AND hash = ?"
const succeed = "UPDATE artefacts SET successor = ? WHERE kind = 'refresh_token' AND hash = ?"

type UseRefreshToken = (hash: TokenHash, use: RefreshTokenUse) => E.Either<AlreadyConsumed, void>

/** One step in a transaction, decided on the rows of the token and its predecessor. */
export const createUseRefreshToken = (db: Database.Database): UseRefreshToken => {
  const uses = db.prepare(selectUses)
  const consuming = db.prepare(consume)
  const succeeding = db.prepare(succeed)
  return (hash, use) => {
    const token = fromRefreshTokenRow(uses.get(hash))
    if (token === undefined) return E.left(alreadyConsumed)
    const before = token.predecessor
    const predecessor = before === undefined ? undefined : fromRefreshTokenRow(uses.get(before))
    const permitted = decideRefreshTokenUse(token, predecessor, use)
    if (E.isLeft(permitted)) return permitted
    if (token.consumed_at === undefined) consuming.run(permitted.right.consumed_at, hash)
    if (predecessor !== undefined && predecessor.successor === undefined)
      succeeding.run(permitted.right.successorOfPredecessor, predecessor.hash)
    return E.right(undefined)
  }
}
