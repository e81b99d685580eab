import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'

export type UnsignedToken = {
  readonly alg: string
  /** RFC 8725 §3.11: the type of the token, for example logout+jwt. */
  readonly typ: string
  readonly claims: JsonObject
  /** Becomes the claim exp, with iat as the present time; at most the policy's retention from now. */
  readonly expiresAt: EpochSeconds
  /** The key that must sign; by default the signing key of the ring. */
  readonly kid?: string
  /** OpenID Core §10.1: the client_secret that signs in place of a key, by HS256, HS384 or HS512 only. */
  readonly secret?: string
}
