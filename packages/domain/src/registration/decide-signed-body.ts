// Open Banking DCR 3.3: from the facts about a signed request to the JSON body of the one decision; decision 0143.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Fault, fault } from '../codec/fault.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { JsonObject } from '../codec/json-object.js'
import type { RuleId } from '../codec/rule-texts.js'
import { type RefusedMetadata, refuseFaults } from '../client/metadata-refusal.js'
import type { ReadStatement } from '../client/software-statement.js'
import type { SignedBodiesPolicy } from '../policy/signed-bodies-policy.js'
import type { OpenedBody } from './signed-body.js'
import { type SignedFormat, claimOf, signedFormats, assertedMetadata } from './signed-formats.js'

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
export type DecidedBody = { readonly body: JsonObject; readonly claims: JsonObject }

const clockTolerance = 60

const when = (holds: boolean, rule: RuleId, ...path: ReadonlyArray<string>): ReadonlyArray<Fault> =>
  holds ? [fault(rule)(...path)] : []

// RFC 7515 §4.1; Open Banking DCR 3.3, Of JWS & JWKS: neither a key nor the URL of one is embedded
const keyParameters = ['jwk', 'jku', 'x5c', 'x5u', 'crit']

/** The faults of the header, which are judged before any key is read. */
export const headerFaults = (format: SignedFormat, header: JsonObject): ReadonlyArray<Fault> => {
  const alg = claimOf(header, 'alg')
  const kid = claimOf(header, 'kid')
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
  const [aud, exp, iat, nbf, jti] = ['aud', 'exp', 'iat', 'nbf', 'jti'].map((name) => claimOf(claims, name))
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
  const value = claimOf(claims, name)
  return Array.isArray(value) ? value : []
}

// Open Banking DCR 3.3, OBClientRegistrationRequest1: iss and software_id are those of the statement, and redirect_uris
// are among those that it lists. A signature of one software does not replace a client of another.
const faultsAgainst = (
  format: SignedFormat,
  { claims, registered }: Pick<SignedBodyFacts, 'claims' | 'registered'>,
  asserted: JsonObject,
): ReadonlyArray<Fault> => {
  const software = claimOf(asserted, 'software_id')
  const allowed = listIn(asserted, format.redirectUris)
  return [
    ...when(typeof software !== 'string' || claimOf(claims, 'iss') !== software, 'signed-body-issuer', 'iss'),
    ...when(
      Object.hasOwn(claims, 'software_id') && claimOf(claims, 'software_id') !== software,
      'signed-body-software',
      'software_id',
    ),
    ...when(registered !== undefined && registered !== software, 'signed-body-other-software', 'software_statement'),
    ...listIn(claims, 'redirect_uris').flatMap((uri, index) =>
      allowed.includes(uri) ? [] : [fault('signed-body-redirect-uri')('redirect_uris', index)],
    ),
  ]
}

// RFC 7519 §4.1: the claims of the JWT itself are no client metadata
const ofTheJwt = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

const bodyOf = (format: SignedFormat, claims: JsonObject, asserted: JsonObject): JsonObject => {
  const sent = Object.fromEntries(Object.entries(claims).filter(([name]) => !ofTheJwt.includes(name)))
  const all = claimOf(asserted, format.redirectUris)
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
      ...(signatureFault === undefined ? [] : [fault(signatureFault)()]),
      ...claimFaults(policy, { claims, at }),
      ...(E.isLeft(statement)
        ? [fault(statement.left)('software_statement')]
        : faultsAgainst(format, { claims, registered }, statement.right)),
    ]
    const asserted = E.isRight(statement) ? statement.right : {}
    return pipe(
      refuseFaults(faults),
      E.map(() => ({ body: bodyOf(format, claims, asserted), claims: assertedMetadata(format, asserted) })),
    )
  }
}
