// What the authorization server stores, and the use of refresh tokens.
import * as E from 'fp-ts/lib/Either.js'
import type { TokenHash } from '../authorization/credential.js'
import type { JsonObject } from '../kernel/json-object.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { Subject } from '../logout/sessions.js'
import type { Registration } from '../registration/registered-client.js'

// What the authorization server records while it authorizes clients: OAuth 2.0, OpenID Connect Core.

/**
 * `session`: a browser at the authorization server. `grant`: the permissions of an end-user for a client. `interaction`:
 * an authorization request that waits for the end-user. `replay`: an identifier that must not be used again (RFC 7523
 * §3, RFC 9449 §11.1). `account`: the claims of an end-user from the last login. `logout_elsewhere`: what the logout at the
 * OpenID provider needs that authenticated the end-user of a session. `document`: an approved document was seen
 * (draft-ietf-oauth-client-id-metadata-document).
 */
export const artefactKinds = [
  'session',
  'grant',
  'authorization_code',
  'access_token',
  'refresh_token',
  'client_credentials',
  'interaction',
  'pushed_authorization_request',
  'replay',
  'account',
  'logout_elsewhere',
  'document',
] as const
export type ArtefactKind = (typeof artefactKinds)[number]

export type Artefact = {
  readonly kind: ArtefactKind
  /** The digest of its identifier, which is the value of a token or of a cookie: the store never has that value. */
  readonly hash: TokenHash
  /** The digest of another name by which it is found, if it has one. */
  readonly name?: TokenHash
  /** The registration with which it ends; a later registration of the same client_id does not have it. */
  readonly client?: Registration
  /** The hash of the grant with which it ends. */
  readonly grant?: TokenHash
  /** The sid of the end-user session with which it ends. */
  readonly session?: Subject
  /** The end-user to whom it belongs. */
  readonly sub?: Subject
  /**
   * The hash of the refresh token in whose place this refresh token was issued. No engine names the token itself, but a store
   * accepts it: the first use of such a token makes it its own successor, so that it is refused from then on.
   */
  readonly predecessor?: TokenHash
  /** From this second on it counts as absent. */
  readonly expires_at: EpochSeconds
  /** What the authorization server stores with it, nested 32 levels at most; sealed in the store. */
  readonly payload: JsonObject
}

/** The artefact as stored, with its uses. */
export type StoredArtefact = Artefact & {
  /** The time of its first use, if it was used: RFC 6749 §4.1.2 for codes, RFC 9700 §4.14.2 for refresh tokens. */
  readonly consumed_at?: EpochSeconds
  /**
   * The hash of the successor of this refresh token that was used first. A use issues a successor each time, within the grace
   * several; the first of them that is used is the only one that counts.
   */
  readonly successor?: TokenHash
}

// Whether a refresh token may be used: once, or again while its answer may have been lost. The tokens of a grant form a
// tree by predecessor; every use of a token issues a successor.

/** It was used before, or there is none any more. A refresh token that is refused so ends its grant: RFC 9700 §4.14.2. */
export type AlreadyConsumed = { readonly error: 'already_consumed' }
export const alreadyConsumed: AlreadyConsumed = { error: 'already_consumed' }

export type RefreshTokenUse = {
  readonly at: EpochSeconds
  /** Seconds after its first use in which a refresh token may be used again, until a successor was used; 0 for none. */
  readonly grace: number
}

/** The use of an artefact, which is good once; that of a refresh token is good where decideRefreshTokenUse permits it. */
export type ArtefactUse = { readonly hash: TokenHash; readonly at: EpochSeconds } & (
  | { readonly kind: Exclude<ArtefactKind, 'refresh_token'> }
  | ({
      readonly kind: 'refresh_token'
      /** As the token has it, so that the store knows both rows of which it decides. */
      readonly predecessor: TokenHash | undefined
    } & RefreshTokenUse)
)

/** Whether it is an identifier that must not be used again, which is used as it is stored. */
export const usesItself = ({ kind, hash }: Pick<Artefact, 'kind' | 'hash'>, use: ArtefactUse | undefined): boolean =>
  kind === 'replay' && use?.kind === kind && use.hash === hash

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
