// Whether a refresh token may be used: once, or again while its answer may have been lost. The tokens of a grant form a
// tree by predecessor; every use of a token issues a successor.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { StoredArtefact } from './artefact.js'

/** It was used before, or there is none any more. A refresh token that is refused so ends its grant: RFC 9700 §4.14.2. */
export type AlreadyConsumed = { readonly error: 'already_consumed' }
export const alreadyConsumed: AlreadyConsumed = { error: 'already_consumed' }

export type RefreshTokenUse = {
  readonly at: EpochSeconds
  /** Seconds after its first use in which a refresh token may be used again, until a successor was used; 0 for none. */
  readonly grace: number
}

/** What decides about a use, of the token and of its predecessor. */
export type RefreshTokenUses = Pick<StoredArtefact, 'hash' | 'predecessor' | 'consumed_at' | 'successor'>

/** What a permitted use writes: into the token, and into its predecessor, if it has one. */
export type PermittedUse = {
  readonly consumed_at: EpochSeconds
  /** The token, which is from now on the only successor of its predecessor that is good. */
  readonly successorOfPredecessor: TokenHash
}

const isInGrace = (consumedAt: EpochSeconds, { at, grace }: RefreshTokenUse): boolean =>
  grace > 0 && at <= consumedAt + grace

// A used token needs no look at its predecessor: its first use made it the good one of its siblings for ever.
const isOnlyUsedSibling = (token: RefreshTokenUses, predecessor: RefreshTokenUses | undefined): boolean =>
  token.predecessor === undefined ||
  token.consumed_at !== undefined ||
  (predecessor?.hash === token.predecessor &&
    (predecessor.successor === undefined || predecessor.successor === token.hash))

/**
 * RFC 9700 §4.14.2: rotation of refresh tokens. A client whose answer was lost uses the token again, within the grace and
 * until a successor was used. From the first use of a successor on, the token and all other successors are refused: one
 * of the two parties that have tokens of this grant has a stolen one. A predecessor that is not stored any more was
 * revoked, so that its unused successors are refused.
 */
export const decideRefreshTokenUse = (
  token: RefreshTokenUses,
  predecessor: RefreshTokenUses | undefined,
  use: RefreshTokenUse,
): E.Either<AlreadyConsumed, PermittedUse> => {
  const { hash, consumed_at, successor } = token
  if (successor !== undefined || !isOnlyUsedSibling(token, predecessor)) return E.left(alreadyConsumed)
  if (consumed_at !== undefined && !isInGrace(consumed_at, use)) return E.left(alreadyConsumed)
  return E.right({ consumed_at: consumed_at ?? use.at, successorOfPredecessor: hash })
}
