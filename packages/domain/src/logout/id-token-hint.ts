// Whether a verified token is an ID token, and of which end-user and clients: OpenID RP-Initiated Logout §2 and §4.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { ClientId } from '../client/client-id.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { Subject } from '../sessions/end-user-session.js'
import type { LogoutPolicy } from './logout-policy.js'
import type { HintFault } from './post-logout-redirect-refusal.js'

/** A JWT with a verified signature; its claims are not judged yet, not even exp. */
export type SignedHint = {
  /** RFC 8725 §3.11: typ of the JWS header. */
  readonly typ: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

/** A JWT that must be signed with a client_secret; its signature is not verified. */
export type UnverifiedHint = { readonly alg: string; readonly claims: Readonly<Record<string, unknown>> }

/** The hint of an end-user; exactly one of its clients must be registered. */
export type IdTokenHint = {
  readonly sub: Subject
  readonly sid: Subject | undefined
  readonly audience: ReadonlyArray<ClientId>
  /** OpenID Core §2: the party to which the ID token was issued, if present. */
  readonly azp: string | undefined
  readonly iat: number
}

// OpenID Core §2: the required claims; a UserInfo response has no exp, and an access token of RFC 9068 has client_id
const IdTokenClaims = t.intersection([
  t.type({
    iss: t.string,
    sub: Subject,
    aud: t.union([t.string, t.array(t.string)]),
    exp: t.number,
    iat: t.number,
  }),
  // RFC 7519 §4.1.5
  t.partial({ sid: Subject, azp: t.string, nbf: t.number }),
])
type IdTokenClaims = t.TypeOf<typeof IdTokenClaims>

/** The tolerated clock difference in seconds. */
export const clockSkew = 300
const maxAudiences = 10

// RFC 8725 §3.11: other tokens have a type of their own; an ID token has JWT or none
const isIdTokenType = (typ: string | undefined): boolean => typ === undefined || /^(?:application\/)?jwt$/i.test(typ)

// Back-Channel Logout §2.4: events marks a logout token; RFC 9068 §2.2: scope and client_id mark an access token
const foreignClaims = ['events', 'scope', 'client_id']

const decodeClaims = ({ typ, claims }: SignedHint): E.Either<HintFault, IdTokenClaims> =>
  isIdTokenType(typ) && !foreignClaims.some((name) => Object.hasOwn(claims, name))
    ? pipe(
        IdTokenClaims.decode(claims),
        E.mapLeft((): HintFault => 'hint_not_an_id_token'),
      )
    : E.left('hint_not_an_id_token')

const faultOf = (
  { issuer, hintMaxAge }: LogoutPolicy,
  at: EpochSeconds,
  claims: IdTokenClaims,
): HintFault | undefined => {
  if (claims.iss !== issuer) return 'hint_other_issuer'
  if (Math.max(claims.iat, claims.nbf ?? claims.iat) > at + clockSkew) return 'hint_not_yet_issued'
  return hintMaxAge > 0 && claims.exp + hintMaxAge < at ? 'hint_too_old' : undefined
}

const audienceOf = ({ aud }: IdTokenClaims): ReadonlyArray<ClientId> => [...new Set([aud].flat().filter(ClientId.is))]

/** The hint, expired or not; its clients are looked up later. */
export const judgeIdTokenHint =
  (policy: LogoutPolicy, at: EpochSeconds) =>
  (signed: SignedHint): E.Either<HintFault, IdTokenHint> => {
    const decoded = decodeClaims(signed)
    if (E.isLeft(decoded)) return decoded
    const claims = decoded.right
    const fault = faultOf(policy, at, claims)
    const audience = audienceOf(claims)
    if (fault !== undefined) return E.left(fault)
    return audience.length === 0 || audience.length > maxAudiences
      ? E.left('hint_audience')
      : E.right({ sub: claims.sub, sid: claims.sid, audience, azp: claims.azp, iat: claims.iat })
  }
