// Sign-in at another provider or a login page: the state, the response and the claims.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type BrokenRule, broken, listThat, nested, ruleCodec, stepsOf, valueThat } from '../kernel/faults.js'
import { type JsonObject, isJsonObject, isPlainObject, maxDepth, ownMember } from '../kernel/json-object.js'
import { EpochSeconds, earlier } from '../kernel/time.js'
import { record } from '../kernel/values.js'
import { Subject } from '../logout/sessions.js'
import { type PolicyFault, decodeByTexts } from '../policy/decode.js'

/** What is stored with a session for the logout at the OpenID provider that authenticated the end-user. */
export const LogoutElsewhere = record('LogoutElsewhere', {
  end_session_endpoint: t.string,
  client_id: t.string,
  id_token_hint: t.string,
})
export interface LogoutElsewhere extends t.TypeOf<typeof LogoutElsewhere> {}

/** An end-user whom a login method authenticated. */
export type AuthenticatedEndUser = {
  readonly sub: Subject
  /** OpenID Core §5.1: claims beside sub. */
  readonly claims: JsonObject
  readonly auth_time: EpochSeconds
  /** OpenID Core §2 */
  readonly acr?: string
  readonly amr?: ReadonlyArray<string>
  /** The logout at the OpenID provider that authenticated the end-user. */
  readonly logoutElsewhere?: LogoutElsewhere
}

/** The login was refused or failed; `reason` is for the log, and contains no secret. */
export type LoginRefused = {
  readonly error: 'login_refused'
  readonly reason: string
  /** Where trying again does not help: another account may, or only the operator can. */
  readonly because?: 'not_permitted' | 'misconfigured'
}

const longest = 200

// A reason can contain a code that another party sent.
export const loginRefused = (reason: string, because?: LoginRefused['because']): LoginRefused => ({
  error: 'login_refused',
  reason: reason.replace(/[^\x20-\x7e]/g, '?').slice(0, longest),
  ...(because === undefined ? {} : { because }),
})

// The end-user whom another party authenticated: OpenID Connect Core §2 and §5.1.

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
  return EpochSeconds.is(value) && value <= at + maxAuthenticationSkew
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

// What the browser keeps, sealed, while another party authenticates the end-user.

/**
 * The redirect URI of this service at another party. RFC 9700 §4.4.2: each of several has one of its own, so that none
 * receives the response of another one.
 */
export const loginCallback = (issuer: string, id: string | undefined): string =>
  `${issuer}/login/callback${id === undefined ? '' : `/${id}`}`

/** Seconds in which an end-user must return. */
export const loginLifetime = 900

export const LoginState = record('LoginState', {
  /** The party that authenticates: a login that began at another one is refused. */
  method: t.string,
  interaction: t.string,
  handle: t.string,
  /** Of the login method alone. */
  memo: t.string,
  /** OpenID Core §3.1.2.1: the maximum age of the authentication; null for any. */
  max_age: t.union([t.number, t.null]),
  begun_at: EpochSeconds,
})
export interface LoginState extends t.TypeOf<typeof LoginState> {}

/** The present method, the parameter `state` of the request, and its time. */
type LoginReturn = {
  readonly method: string
  readonly handle: string | undefined
  readonly at: EpochSeconds
}

// RFC 6749 §10.12: a response belongs to the browser and to the request that began the login.
const returnFault = (state: LoginState, { method, handle, at }: LoginReturn): string | undefined => {
  if (state.handle !== handle) return 'the response is that of another login'
  if (state.method !== method) return 'the login began with another login method'
  return at < state.begun_at + loginLifetime ? undefined : `the end-user returned after ${loginLifetime} seconds`
}

/** Whether the browser returns from the login that it began. */
export const acceptReturn = (state: LoginState, returned: LoginReturn): E.Either<LoginRefused, LoginState> => {
  const fault = returnFault(state, returned)
  return fault === undefined ? E.right(state) : E.left(loginRefused(fault))
}

/** OpenID Core §3.1.2.1: whether the end-user authenticated within max_age of the request. */
export const acceptAuthTime =
  ({ max_age, begun_at }: LoginState) =>
  (endUser: AuthenticatedEndUser): E.Either<LoginRefused, AuthenticatedEndUser> =>
    max_age === null || endUser.auth_time + max_age + maxAuthenticationSkew >= begun_at
      ? E.right(endUser)
      : E.left(loginRefused('the end-user was authenticated too long ago: the request demands a new authentication'))

// The response of a login page of the host: a JWT that the host signed (RFC 7519).

/** A JWT with a verified signature. */
export type SignedHandOver = {
  /** RFC 8725 §3.11: typ of the JWS header. */
  readonly typ: unknown
  readonly claims: unknown
}

type HandOverExpectation = {
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
const handOverFault = (
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
    const fault = handOverFault(typ, claims, expected)
    return fault === undefined ? readEndUser(claims, expected.at) : E.left(loginRefused(fault))
  }

// From the claims of another OpenID provider to those of this one: OpenID Connect Core §5.1 and §5.7.

export type UpstreamMapping = {
  /** The claim whose value becomes sub as it is; the digest of issuer and sub when undefined. */
  readonly subjectClaim: string | undefined
  /** The claims that are passed on. */
  readonly claims: ReadonlyArray<string>
}

/** OpenID Core §2: claims about the authentication, which are passed on always. */
const always = ['auth_time', 'acr', 'amr']

/**
 * The claims of the end-user here. OpenID Core §5.7: only iss and sub together identify an end-user, so that sub here is
 * a digest of both: `digest`.
 */
export const mapUpstreamClaims =
  ({ subjectClaim, claims }: UpstreamMapping, digest: string) =>
  (upstream: JsonObject): E.Either<LoginRefused, Readonly<Record<string, unknown>>> => {
    const sub = subjectClaim === undefined ? digest : ownMember(upstream, subjectClaim)
    if (typeof sub !== 'string')
      return E.left(loginRefused(`the upstream provider did not assert the claim ${subjectClaim ?? 'sub'} as a text`))
    const passed = [...claims, ...always].filter((name) => name !== 'sub' && Object.hasOwn(upstream, name))
    return E.right(Object.fromEntries([...passed.map((name) => [name, upstream[name]]), ['sub', sub]]))
  }

// Who may sign in: what the claims of another OpenID provider must be. OpenID Connect Core §5.1.

type Scalar = string | number | boolean

/**
 * A claim, or the JSON pointer (RFC 6901) of a value in one, and the values of which it must have one. Of `email`, these
 * are addresses, and domains that begin with @.
 */
type RequiredClaim = { readonly claim: string; readonly values: ReadonlyArray<Scalar> }

/** Each of them must hold. */
export type RequiredClaims = ReadonlyArray<RequiredClaim>

// One @, and no character that a mail system or a reader could take for another.
const address = /^[\x21-\x3F\x41-\x7E]*@[A-Za-z0-9.-]+$/

const isAddressOrDomain = (value: unknown): value is string => typeof value === 'string' && address.test(value)

const isScalar = (value: unknown): value is Scalar =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'

const addresses = listThat(
  'must be a JSON array',
  valueThat('must be an e-mail address, or a domain that begins with @, such as @example.com', isAddressOrDomain),
)
const scalars = listThat('must be a JSON array', valueThat('must be a text, a number, true or false', isScalar))

// Also as a JSON pointer
const isAddressClaim = (claim: string): boolean => claim === 'email' || claim === '/email'

const valuesOf = (value: unknown): unknown => (Array.isArray(value) ? value : [value])

const faultsOf = ([claim, value]: readonly [string, unknown]): ReadonlyArray<BrokenRule<string>> => {
  const values = valuesOf(value)
  const faults = (isAddressClaim(claim) ? addresses : scalars).brokenRules(values)
  const empty = Array.isArray(value) && value.length === 0 ? [broken('must have at least one value')] : []
  return [...empty, ...faults].map(nested(claim))
}

type Json = Readonly<Record<string, Scalar | ReadonlyArray<Scalar>>>

/** The claims and their values as the settings have them. */
export const requiredClaims = ruleCodec<Json, string>('RequiredClaims', (value) => {
  if (!isPlainObject(value)) return [broken('must be a JSON object with the claims and their values')]
  const entries = Object.entries(value)
  return entries.length === 0
    ? [broken('must name a claim: leave the setting out to let every end-user of the provider sign in')]
    : entries.flatMap(faultsOf)
})

export const requirementsOf = (claims: Json): RequiredClaims =>
  Object.entries(claims).map(([claim, values]) => ({ claim, values: [values].flat() }))

/** A parsed JSON value as requirements, or all of its faults. */
export const decodeRequiredClaims = (value: unknown): E.Either<ReadonlyArray<PolicyFault>, RequiredClaims> =>
  pipe(decodeByTexts(requiredClaims)(value), E.map(requirementsOf))

/** The names of the values that lead to the one that is required; the first is that of a claim. */
export const namesTo = (claim: string): ReadonlyArray<string> => (claim.startsWith('/') ? stepsOf(claim) : [claim])

const valueAt = (claims: unknown, claim: string): unknown =>
  namesTo(claim).reduce<unknown>((value, step) => (isPlainObject(value) ? ownMember(value, step) : undefined), claims)

// RFC 1035 §2.3.3: the case of a domain has no meaning; that of the part before @ has (RFC 5321 §2.4). Only ASCII is
// compared, because other letters become ASCII ones in lower case.
const isAddressLike = (value: string, wanted: string): boolean => {
  const [local = '', domain = ''] = value.split('@')
  const [wantedLocal = '', wantedDomain = ''] = wanted.split('@')
  return (
    local !== '' && (wantedLocal === '' || wantedLocal === local) && domain.toLowerCase() === wantedDomain.toLowerCase()
  )
}

// OpenID Connect Core §5.1: only where email_verified is true, the address is known to be the end-user's.
const hasAddress = (claims: unknown, wanted: ReadonlyArray<Scalar>): boolean => {
  const email = valueAt(claims, 'email')
  return (
    valueAt(claims, 'email_verified') === true &&
    typeof email === 'string' &&
    address.test(email) &&
    wanted.some((each) => isAddressLike(email, String(each)))
  )
}

const holds =
  (claims: unknown) =>
  ({ claim, values }: RequiredClaim): boolean => {
    if (isAddressClaim(claim)) return hasAddress(claims, values)
    const present = valuesOf(valueAt(claims, claim))
    return values.some((value) => Array.isArray(present) && present.includes(value))
  }

/**
 * Whether an end-user with these claims may sign in. Total for any value; the refusal names the setting of the
 * requirements, and no value.
 */
export const admitEndUser =
  (required: RequiredClaims, setting: string) =>
  <Claims>(claims: Claims): E.Either<LoginRefused, Claims> => {
    const missing = required.find((each) => !holds(claims)(each))
    return missing === undefined
      ? E.right(claims)
      : E.left(loginRefused(`the end-user has no value of ${missing.claim} that ${setting} names`, 'not_permitted'))
  }
