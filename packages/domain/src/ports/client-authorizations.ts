// What a provider records for a client: removing the client removes all of it, for good, even if its id is used again.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientId } from '../client/client-id.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable, UnknownClient, UnknownSession } from '../errors.js'

export type AuthorizationKind = 'refresh_token' | 'access_token' | 'sticky_grant'

export type ClientAuthorization = {
  readonly kind: AuthorizationKind
  readonly hash: TokenHash
  readonly client_id: ClientId
  /** Seconds since the epoch, or 0 when it does not expire. */
  readonly expires_at: EpochSeconds
  /** Whatever the provider wants to know again: subject, scope and the like; nested 32 levels at most. */
  readonly details: JsonObject
  /** The sid of the end-user session that granted it: it ends with the session, also when that is forgotten as over. */
  readonly session?: string
  /** Granted for offline access: it outlives its session, unless the policy says otherwise. Left out where it is not. */
  readonly offline?: boolean
}

export type ClientAuthorizations = {
  /**
   * Records it, or replaces what was recorded under the same kind and hash; the client counts as used from then on. What a
   * session granted is refused once the session is not held any more, unless it is for offline access. Authorizations that had
   * expired at the given time may be forgotten.
   */
  readonly recordAuthorization: (
    authorization: ClientAuthorization,
    at: EpochSeconds,
  ) => TE.TaskEither<UnknownClient | UnknownSession | Unavailable, void>
  readonly findAuthorization: (
    kind: AuthorizationKind,
    hash: TokenHash,
  ) => TE.TaskEither<Unavailable, O.Option<ClientAuthorization>>
  /** Does nothing when there is none. */
  readonly revokeAuthorization: (kind: AuthorizationKind, hash: TokenHash) => TE.TaskEither<Unavailable, void>
}
