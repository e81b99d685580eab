// Registrations that are sent as a JWT.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { MemberName } from '../client/members.js'
import { type RefusedMetadata, refuseFaults } from '../client/metadata.js'
import type { ReadStatement } from '../client/statement.js'
import type { RuleId } from '../kernel/all-rules.js'
import type { Fault } from '../kernel/faults.js'
import { type JsonObject, type JsonValue, ownMember } from '../kernel/json-object.js'
import { anyFault } from '../kernel/refusals.js'
import type { EpochSeconds } from '../kernel/time.js'
import type { SignedBodiesPolicy } from '../policy/policy.js'

// What the ecosystems of signed requests demand, and how their software statements name client metadata.

type Claim = { readonly claim: string; readonly member: MemberName }

export type SignedFormat = {
  /** The algorithms of the signature of a request. */
  readonly algorithms: ReadonlyArray<string>
  /** The claims of a software statement that are client metadata by another name. */
  readonly asserted: ReadonlyArray<Claim>
  /** The claim with all redirection URIs of the software, of which a request may choose some. */
  readonly redirectUris: string
  /** The claims that say which keys sign a request: a set, and the URI of one. */
  readonly keySet: string
  readonly keySetUri: string
}

export const signedFormats: Readonly<Record<SignedBodiesPolicy['format'], SignedFormat>> = {
  uk: {
    // FAPI 1.0 Part 2 §8.6, narrowed by the directory
    algorithms: ['PS256'],
    // Open Banking Directory, software statement: names of RFC 7591 §2 with a prefix
    asserted: [
      { claim: 'software_client_name', member: 'client_name' },
      { claim: 'software_client_uri', member: 'client_uri' },
      { claim: 'software_logo_uri', member: 'logo_uri' },
      { claim: 'software_policy_uri', member: 'policy_uri' },
      { claim: 'software_tos_uri', member: 'tos_uri' },
    ],
    // Open Banking DCR 3.3, OBClientRegistrationRequest1: redirect_uris
    redirectUris: 'software_redirect_uris',
    // Open Banking DCR 3.3, Of JWS & JWKS
    keySet: 'software_jwks',
    keySetUri: 'software_jwks_endpoint',
  },
}

// Directories write null or an empty text for what a software does not have.
const isGiven = (value: JsonValue | undefined): value is JsonValue =>
  value !== undefined && value !== null && value !== ''

/** The keys of the software, as the members of RFC 7591 §2: the URI, or else the set itself. */
export const keysOfStatement = (
  { keySet, keySetUri }: SignedFormat,
  claims: JsonObject,
): { readonly jwks_uri?: JsonValue; readonly jwks?: JsonValue } => {
  const uri = ownMember(claims, keySetUri)
  const keys = ownMember(claims, keySet)
  if (isGiven(uri)) return { jwks_uri: uri }
  return isGiven(keys) ? { jwks: keys } : {}
}

// RFC 7591 §2: software_version is a text; the directory writes a number
const versionIn = (claims: JsonObject): JsonObject => {
  const version = ownMember(claims, 'software_version')
  return typeof version === 'number' ? { software_version: String(version) } : {}
}

/** The claims of a software statement, with client metadata by the names of RFC 7591 §2. */
const assertedMetadata = (format: SignedFormat, claims: JsonObject): JsonObject => {
  const named = format.asserted.flatMap(({ claim, member }): ReadonlyArray<readonly [string, JsonValue]> => {
    const value = ownMember(claims, claim)
    return isGiven(value) ? [[member, value]] : []
  })
  return { ...claims, ...Object.fromEntries(named), ...keysOfStatement(format, claims), ...versionIn(claims) }
}

// A registration request that is a JWT as a whole: Open Banking DCR 3.3, POST /register.

/** The header and the claims of a JWT; what they say counts after its signature is verified. */
export type OpenedBody = { readonly header: JsonObject; readonly claims: JsonObject }

// No JSON has a symbol, so that no JSON body passes for a signed one.
const compact: unique symbol = Symbol('a JWT in compact form')

type SignedBody = { readonly [compact]: string }

/** The text of a body of the type application/jwt, not verified. */
export const signedBody = (text: string): SignedBody => ({ [compact]: text })

const isSignedBody = (body: unknown): body is SignedBody =>
  typeof body === 'object' && body !== null && Object.hasOwn(body, compact)

export const signedTextOf = (body: unknown): O.Option<string> => (isSignedBody(body) ? O.some(body[compact]) : O.none)

// Open Banking DCR 3.3: from the facts about a signed request to the JSON body of the one decision; docs/decisions/software-statements.md.

/** Why a signature is not that of the software: it is of another key, or the keys could not be read. */
export type SignatureFault = 'signed-body-signature' | 'signed-body-keys' | 'signed-body-keys-off'

export type SignedBodyFacts = OpenedBody & {
  /** The claims of the software statement in the request, or its fault. */
  readonly statement: ReadStatement
  /** Undefined if a key of the software verified the signature. */
  readonly signatureFault: SignatureFault | undefined
  readonly at: EpochSeconds
  /** The software_id of the client that is updated, if it has one. */
  readonly registered?: string | undefined
}

/** The body as if it had been sent as JSON, and the claims of its statement by the names of RFC 7591 §2. */
type DecidedBody = { readonly body: JsonObject; readonly claims: JsonObject }

const clockTolerance = 60

const when = (holds: boolean, rule: RuleId, ...path: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  holds ? [anyFault(rule)(...path)] : []

// RFC 7515 §4.1; Open Banking DCR 3.3, Of JWS & JWKS: neither a key nor the URL of one is embedded
const keyParameters = ['jwk', 'jku', 'x5c', 'x5u', 'crit']

/** The faults of the header, which are judged before any key is read. */
export const headerFaults = (format: SignedFormat, header: JsonObject): ReadonlyArray<Fault> => {
  const alg = ownMember(header, 'alg')
  const kid = ownMember(header, 'kid')
  return [
    // RFC 8725 §3.1
    ...when(typeof alg !== 'string' || !format.algorithms.includes(alg), 'signed-body-algorithm'),
    // RFC 7515 §4.1.4
    ...when(typeof kid !== 'string' || kid === '', 'signed-body-kid'),
    ...when(
      keyParameters.some((name) => Object.hasOwn(header, name)),
      'signed-body-header',
    ),
  ]
}

const isInstant = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0

// RFC 7519 §4.1.5, §4.1.6: clocks may differ by a minute
const isPast = (value: unknown, at: EpochSeconds): boolean => isInstant(value) && value <= at + clockTolerance

// RFC 9562 §5.4
const uuid4 = /^[\dA-F]{8}-[\dA-F]{4}-4[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}$/i

// RFC 7519 §4.1.3: one value, or a list
const isMeant = (aud: unknown, audience: ReadonlyArray<string>): boolean =>
  [aud].flat().some((each) => typeof each === 'string' && audience.includes(each))

// Open Banking DCR 3.3, OBClientRegistrationRequest1: iat, exp, aud, jti are required; times have no tolerance at the end
const claimFaults = (
  { audience }: SignedBodiesPolicy,
  { claims, at }: Pick<SignedBodyFacts, 'claims' | 'at'>,
): ReadonlyArray<Fault> => {
  const [aud, exp, iat, nbf, jti] = ['aud', 'exp', 'iat', 'nbf', 'jti'].map((name) => ownMember(claims, name))
  return [
    ...when(!isMeant(aud, audience), 'signed-body-audience', 'aud'),
    ...when(!isInstant(exp) || exp <= at, 'signed-body-expired', 'exp'),
    ...when(!isPast(iat, at), 'signed-body-not-yet', 'iat'),
    ...when(nbf !== undefined && !isPast(nbf, at), 'signed-body-not-yet', 'nbf'),
    ...when(typeof jti !== 'string' || !uuid4.test(jti), 'signed-body-id', 'jti'),
    // The keys of the software are those that its directory names.
    ...when(Object.hasOwn(claims, 'jwks'), 'signed-body-own-keys', 'jwks'),
  ]
}

const listIn = (claims: JsonObject, name: string): ReadonlyArray<unknown> => {
  const value = ownMember(claims, name)
  return Array.isArray(value) ? value : []
}

// Open Banking DCR 3.3, OBClientRegistrationRequest1: iss and software_id are those of the statement, and redirect_uris
// are among those that it lists. A signature of one software does not replace a client of another.
const faultsAgainst = (
  format: SignedFormat,
  { claims, registered }: Pick<SignedBodyFacts, 'claims' | 'registered'>,
  asserted: JsonObject,
): ReadonlyArray<Fault> => {
  const software = ownMember(asserted, 'software_id')
  const allowed = listIn(asserted, format.redirectUris)
  return [
    ...when(typeof software !== 'string' || ownMember(claims, 'iss') !== software, 'signed-body-issuer', 'iss'),
    ...when(
      Object.hasOwn(claims, 'software_id') && ownMember(claims, 'software_id') !== software,
      'signed-body-software',
      'software_id',
    ),
    ...when(registered !== undefined && registered !== software, 'signed-body-other-software', 'software_statement'),
    ...listIn(claims, 'redirect_uris').flatMap((uri, index) =>
      allowed.includes(uri) ? [] : [anyFault('signed-body-redirect-uri')('redirect_uris', index)],
    ),
  ]
}

// RFC 7519 §4.1: the claims of the JWT itself are no client metadata
const ofTheJwt = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

const bodyOf = (format: SignedFormat, claims: JsonObject, asserted: JsonObject): JsonObject => {
  const sent = Object.fromEntries(Object.entries(claims).filter(([name]) => !ofTheJwt.includes(name)))
  const all = ownMember(asserted, format.redirectUris)
  return Object.hasOwn(sent, 'redirect_uris') || !Array.isArray(all) ? sent : { ...sent, redirect_uris: all }
}

/** All faults at once, or the body of the decision about every registration. */
export const decideSignedBody = (
  policy: SignedBodiesPolicy,
): ((facts: SignedBodyFacts) => E.Either<RefusedMetadata, DecidedBody>) => {
  const format = signedFormats[policy.format]
  return ({ header, claims, statement, signatureFault, at, registered }) => {
    const faults = [
      ...headerFaults(format, header),
      ...(signatureFault === undefined ? [] : [anyFault(signatureFault)()]),
      ...claimFaults(policy, { claims, at }),
      ...(E.isLeft(statement)
        ? [anyFault(statement.left)('software_statement')]
        : faultsAgainst(format, { claims, registered }, statement.right)),
    ]
    const asserted = E.isRight(statement) ? statement.right : {}
    return pipe(
      refuseFaults(faults),
      E.map(() => ({ body: bodyOf(format, claims, asserted), claims: assertedMetadata(format, asserted) })),
    )
  }
}
