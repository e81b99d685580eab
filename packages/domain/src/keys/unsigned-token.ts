import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'

export type UnsignedToken = {
  readonly alg: string
  /** RFC 8725 §3.11: what kind of token it is, such as logout+jwt. */
  readonly typ: string
  readonly claims: JsonObject
  /** Becomes the claims iat and exp; exp is at most the policy's retention from now. */
  readonly expiresAt: EpochSeconds
  /** The key that must sign; the ring's signing key when it is left out. */
  readonly kid?: string
  /** OpenID Core §10.1: the client_secret that signs in place of a key, by HS256, HS384 or HS512 alone. */
  readonly secret?: string
}
