// The end-user whom another party authenticated: OpenID Connect Core §2 and §5.1.
import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, earlier, EpochSeconds as EpochSecondsCodec } from '../codec/epoch-seconds.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth, ownMember } from '../codec/json-object.js'
import type { AuthenticatedEndUser } from './authenticated-end-user.js'
import { Subject } from '../sessions/end-user-session.js'
import { type LoginRefused, loginRefused } from './login-refused.js'

/** The tolerated clock difference in seconds. */
export const maxAuthenticationSkew = 60

/** Claims that describe a token or its authentication, not the end-user. */
const tokenClaims = [
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'nonce', 'azp', 'sid', 'auth_time', 'acr', 'amr'],
  ...['at_hash', 'c_hash', 's_hash', '__proto__'],
]

/** Whether a claim describes the end-user. */
export const isEndUserClaim = (name: string): boolean => !tokenClaims.includes(name)

const maxMethods = 10
const maxClaims = 16_384

type AboutAuthentication = Pick<AuthenticatedEndUser, 'acr' | 'amr'>

const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 255 && value.isWellFormed()

const isMethods = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length <= maxMethods && value.every(isShort)

const acrOf = (acr: unknown): E.Either<LoginRefused, AboutAuthentication> => {
  if (acr === undefined) return E.right({})
  return isShort(acr) ? E.right({ acr }) : E.left(loginRefused('acr must be a text of at most 255 characters'))
}

const amrOf = (amr: unknown): E.Either<LoginRefused, AboutAuthentication> => {
  if (amr === undefined) return E.right({})
  return isMethods(amr) ? E.right({ amr }) : E.left(loginRefused(`amr must be an array of at most ${maxMethods} texts`))
}

// A receiver of auth_time compares it with its own time, so that it is never later than the present.
const authTimeOf = (value: unknown, at: EpochSeconds): E.Either<LoginRefused, EpochSeconds> => {
  if (value === undefined) return E.right(at)
  return EpochSecondsCodec.is(value) && value <= at + maxAuthenticationSkew
    ? E.right(earlier(value, at))
    : E.left(loginRefused('auth_time must be a whole number of seconds, not in the future'))
}

const claimsOf = (claims: Readonly<Record<string, unknown>>): E.Either<LoginRefused, JsonObject> => {
  const rest = Object.fromEntries(Object.entries(claims).filter(([name]) => isEndUserClaim(name)))
  if (!isJsonObject(maxDepth)(rest)) return E.left(loginRefused('the claims must be JSON'))
  return JSON.stringify(rest).length <= maxClaims
    ? E.right(rest)
    : E.left(loginRefused(`the claims must have at most ${maxClaims} characters`))
}

/** The end-user of these claims; without auth_time, the end-user was authenticated now. Total for any value. */
export const readEndUser = (claims: unknown, at: EpochSeconds): E.Either<LoginRefused, AuthenticatedEndUser> => {
  if (!isPlainObject(claims)) return E.left(loginRefused('the claims must be an object'))
  const sub = ownMember(claims, 'sub')
  // OpenID Core §2: at most 255 ASCII characters
  if (!Subject.is(sub)) return E.left(loginRefused('sub must have 1 to 255 ASCII characters'))
  const time = authTimeOf(ownMember(claims, 'auth_time'), at)
  if (E.isLeft(time)) return time
  const acr = acrOf(ownMember(claims, 'acr'))
  if (E.isLeft(acr)) return acr
  const amr = amrOf(ownMember(claims, 'amr'))
  if (E.isLeft(amr)) return amr
  const rest = claimsOf(claims)
  if (E.isLeft(rest)) return rest
  return E.right({ sub, claims: rest.right, auth_time: time.right, ...acr.right, ...amr.right })
}
