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

/** RFC 8725 §3.11: the types of what this service signs on its own behalf. */
export const ownTokenTypes = {
  auditCheckpoint: 'clientele-audit-checkpoint+jwt',
  loginRequest: 'login-request+jwt',
  logoutToken: 'logout+jwt',
} as const

// RFC 7515 §4.1.9: a media type, in any case, of which "application/" may be left out; RFC 9110 §8.3.1: with parameters.
const mediaTypeOf = (typ: string): string => (typ.split(';')[0] ?? '').trim().toLowerCase()

/** Whether a verifier may take the type for one that only this service signs. */
export const isOwnTokenType = (typ: string): boolean =>
  Object.values(ownTokenTypes).some((own) => [own, `application/${own}`].includes(mediaTypeOf(typ)))
