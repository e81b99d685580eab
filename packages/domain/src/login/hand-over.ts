// The response of a login page of the host: a JWT that the host signed (RFC 7519).
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { isPlainObject, ownMember } from '../codec/json-object.js'
import type { AuthenticatedEndUser } from './authenticated-end-user.js'
import { type LoginRefused, loginRefused } from './login-refused.js'
import { maxAuthenticationSkew, readEndUser } from './read-end-user.js'

/** A JWT with a verified signature. */
export type SignedHandOver = {
  /** RFC 8725 §3.11: typ of the JWS header. */
  readonly typ: unknown
  readonly claims: unknown
}

export type HandOverExpectation = {
  /** iss of the response, and aud of the request: the URL of the page. */
  readonly page: string
  /** aud of the response, and iss of the request. */
  readonly issuer: string
  /** jti of the request. */
  readonly nonce: string
  readonly at: EpochSeconds
}

/** Seconds from now in which exp of the response must be. */
export const maxHandOverLifetime = 300

const isType = (typ: unknown): boolean =>
  typeof typ === 'string' && /^(?:application\/)?login-response\+jwt$/i.test(typ)

const isExpiry = (exp: unknown, at: EpochSeconds): boolean =>
  typeof exp === 'number' && at < exp + maxAuthenticationSkew && exp <= at + maxHandOverLifetime + maxAuthenticationSkew

const isIssueTime = (iat: unknown, at: EpochSeconds): boolean =>
  iat === undefined || (typeof iat === 'number' && iat <= at + maxAuthenticationSkew)

type Claims = Readonly<Record<string, unknown>>

// RFC 7519 §4.1, RFC 8725 §3.8 to §3.11
const faultOf = (
  typ: unknown,
  claims: Claims,
  { page, issuer, nonce, at }: HandOverExpectation,
): string | undefined => {
  const claim = (name: string): unknown => ownMember(claims, name)
  if (!isType(typ)) return 'typ of the response must be login-response+jwt'
  if (claim('iss') !== page) return 'iss of the response must be the URL of the login page'
  if (claim('aud') !== issuer) return 'aud of the response must be the issuer'
  if (claim('nonce') !== nonce) return 'nonce of the response must be jti of the request of this browser'
  if (!isExpiry(claim('exp'), at)) return `exp of the response must be within the next ${maxHandOverLifetime} seconds`
  return isIssueTime(claim('iat'), at) ? undefined : 'iat of the response must not be in the future'
}

/** The end-user of a signed response to the request of this browser. Total for any claims. */
export const judgeHandOver =
  (expected: HandOverExpectation) =>
  ({ typ, claims }: SignedHandOver): E.Either<LoginRefused, AuthenticatedEndUser> => {
    if (!isPlainObject(claims)) return E.left(loginRefused('the response must contain claims'))
    const fault = faultOf(typ, claims, expected)
    return fault === undefined ? pipe(readEndUser(claims, expected.at)) : E.left(loginRefused(fault))
  }
