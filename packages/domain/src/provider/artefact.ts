// What the authorization server records while it authorizes clients: OAuth 2.0, OpenID Connect Core.
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { Registration } from '../registration/registered-client.js'
import type { Subject } from '../sessions/end-user-session.js'

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
  /** The hash of the refresh token in whose place this refresh token was issued. */
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
  /** The hash of that successor of a refresh token which was used first. */
  readonly successor?: TokenHash
}
