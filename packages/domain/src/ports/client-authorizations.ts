// The authorizations that a provider records for a client. Removing the client removes them for good, even if its id is
// used again.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { ClientId } from '../client/client-id.js'
import type { RegistrationId } from '../client/registration-id.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Unavailable, UnknownClient, UnknownSession } from '../errors.js'

export type AuthorizationKind = 'refresh_token' | 'access_token' | 'sticky_grant'

export type ClientAuthorization = {
  readonly kind: AuthorizationKind
  readonly hash: TokenHash
  readonly client_id: ClientId
  /** The registration of the client; a later registration of the same client_id does not have the authorization. */
  readonly registration_id: RegistrationId
  /** Seconds since the epoch, or 0 when it does not expire. */
  readonly expires_at: EpochSeconds
  /** Any JSON that the provider needs later, for example subject and scope; nested 32 levels at most. */
  readonly details: JsonObject
  /**
   * The sid of the end-user session in which it was granted: it ends with the session, also when an ended session is
   * removed.
   */
  readonly session?: string
  /** Granted for offline access: it outlives its session, unless the policy says otherwise. Left out where false. */
  readonly offline?: boolean
}

export type ClientAuthorizations = {
  /**
   * Stores the authorization, or replaces one of the same kind and hash; the client counts as used from then on. It is
   * refused if the registration has ended, also if the client_id is registered again. One of a session is refused if the
   * store has no such session any more, unless it is for offline access. Authorizations that have expired at the given
   * time may be removed.
   */
  readonly recordAuthorization: (
    authorization: ClientAuthorization,
    at: EpochSeconds,
  ) => TE.TaskEither<UnknownClient | UnknownSession | Unavailable, void>
  readonly findAuthorization: (
    kind: AuthorizationKind,
    hash: TokenHash,
  ) => TE.TaskEither<Unavailable, O.Option<ClientAuthorization>>
  /** No effect if there is none. */
  readonly revokeAuthorization: (kind: AuthorizationKind, hash: TokenHash) => TE.TaskEither<Unavailable, void>
}
