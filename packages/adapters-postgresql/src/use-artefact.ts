// The uses of artefacts: each is decided by the row, and is found by a random value where its commit is in doubt.
import {
  type AlreadyConsumed,
  type ArtefactKind,
  type EpochSeconds,
  type PermittedUse,
  type RefreshTokenUse,
  type RefreshTokenUses,
  type TokenHash,
  alreadyConsumed,
  decideRefreshTokenUse,
} from '@clientele/domain'
import { fromRefreshTokenRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import { randomUUID } from 'node:crypto'
import type { Query, Write } from './database.js'
import { isWritten } from './write-audit.js'

const consumeOnce = {
  name: 'consume_artefact',
  text: `
UPDATE artefacts SET consumed_at = $3, consumed_by = $4
WHERE kind = $1 AND hash = $2 AND consumed_at IS NULL RETURNING 1`,
}
const selectConsumed = {
  name: 'select_consumed_artefact',
  text: 'SELECT 1 FROM artefacts WHERE kind = $1 AND hash = $2 AND consumed_by = $3',
}
// The token and its predecessor, locked in the order of their digests.
const lockUses = {
  name: 'lock_refresh_token',
  text: `
SELECT hash, predecessor, consumed_at, successor FROM artefacts
WHERE kind = 'refresh_token' AND hash IN
  (SELECT unnest(ARRAY[token.hash, token.predecessor]) FROM artefacts AS token
   WHERE token.kind = 'refresh_token' AND token.hash = $1)
ORDER BY hash FOR NO KEY UPDATE`,
}
const succeed = {
  name: 'succeed_refresh_token',
  text: `UPDATE artefacts SET successor = $2 WHERE kind = 'refresh_token' AND hash = $1 AND successor IS NULL`,
}

export const consumeArtefact = (
  kind: ArtefactKind,
  hash: TokenHash,
  at: EpochSeconds,
): Write<AlreadyConsumed, void> => {
  const use = randomUUID()
  return {
    run: async (query) =>
      (await query(consumeOnce, [kind, hash, at, use])).length === 1 ? E.right(undefined) : E.left(alreadyConsumed),
    isDone: isWritten(undefined, selectConsumed, [kind, hash, use]),
  }
}

type Locked = { readonly token: RefreshTokenUses; readonly predecessor: RefreshTokenUses | undefined }

const lock = async (query: Query, hash: TokenHash): Promise<Locked | undefined> => {
  const locked = (await query(lockUses, [hash])).flatMap((row) => fromRefreshTokenRow(row) ?? [])
  const token = locked.find((each) => each.hash === hash)
  if (token === undefined) return undefined
  return { token, predecessor: locked.find((each) => each.hash === token.predecessor) }
}

const write = async (
  query: Query,
  { token, predecessor }: Locked,
  { consumed_at, successorOfPredecessor }: PermittedUse,
  use: string,
): Promise<void> => {
  if (token.consumed_at === undefined) await query(consumeOnce, ['refresh_token', token.hash, consumed_at, use])
  if (predecessor !== undefined) await query(succeed, [predecessor.hash, successorOfPredecessor])
}

/** A repeated use writes nothing, so that it may be run again; a first one is found by its random value. */
export const useRefreshToken = (hash: TokenHash, how: RefreshTokenUse): Write<AlreadyConsumed, void> => {
  const use = randomUUID()
  return {
    run: async (query) => {
      const locked = await lock(query, hash)
      if (locked === undefined) return E.left(alreadyConsumed)
      const permitted = decideRefreshTokenUse(locked.token, locked.predecessor, how)
      if (E.isLeft(permitted)) return permitted
      await write(query, locked, permitted.right, use)
      return E.right(undefined)
    },
    isDone: isWritten(undefined, selectConsumed, ['refresh_token', hash, use]),
  }
}
