// A request to the logout endpoint: its ID token hint, and where it may lead.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { ClientId } from '../client/ids.js'
import { isSymmetricSignature, neededSecretLength, usesSecret } from '../client/keys.js'
import type { EpochSeconds } from '../kernel/time.js'
import { secretsOfIssued } from '../registration/client-secrets.js'
import type { RegisteredClient } from '../registration/registered-client.js'
import type { LogoutPolicy } from './notifications.js'
import { Subject } from './sessions.js'

/** Why an id_token_hint is refused: contract of the logout endpoint, and RP-Initiated Logout §2 and §4. */
export const HintFault = t.keyof(
  {
    hint_too_long: null,
    /** Not a JWS or JWE in compact serialization, or its header or payload is not a JSON object. */
    hint_malformed: null,
    /**
     * A JWE for another recipient, of an unsupported algorithm, or altered: one code, so that an attacker cannot
     * distinguish them.
     */
    hint_undecryptable: null,
    /** The algorithm is not one of this service's keys, for example none or HS256. */
    hint_algorithm: null,
    /** No kid, or a kid that no key has any more. */
    hint_unknown_key: null,
    hint_bad_signature: null,
    /** Signed by this service, but an access token, a logout token or a UserInfo response. */
    hint_not_an_id_token: null,
    hint_other_issuer: null,
    hint_not_yet_issued: null,
    /** Expired for longer than the policy allows. */
    hint_too_old: null,
    /** aud does not name exactly one registered client. */
    hint_audience: null,
    /** client_id or azp names another client than aud. */
    hint_other_client: null,
    /** Issued before the client was registered, to another client with the same id. */
    hint_before_registration: null,
  },
  'HintFault',
)
export type HintFault = t.TypeOf<typeof HintFault>

/** Why there is no post-logout redirect: for a sentence on the page and a code in the log. */
export const PostLogoutRedirectRefusal = t.union(
  [
    HintFault,
    t.keyof({
      /** There is no post_logout_redirect_uri, and the page gives no reason. */
      not_asked: null,
      no_hint: null,
      /** A decisive parameter has several values. */
      repeated_parameter: null,
      /** The hint names another end-user than the session. */
      other_user: null,
      /** The hint names the end-user of the session, but another session. */
      other_session: null,
      /** The operator has suspended the client. */
      client_suspended: null,
      /** No post_logout_redirect_uri of the client has the same bytes. */
      unregistered_uri: null,
      /** The URI is registered, but violates the present rules. */
      refused_uri: null,
    }),
  ],
  'PostLogoutRedirectRefusal',
)
export type PostLogoutRedirectRefusal = t.TypeOf<typeof PostLogoutRedirectRefusal>

// Whether a verified token is an ID token, and of which end-user and clients: OpenID RP-Initiated Logout §2 and §4.

/** A JWT with a verified signature; its claims are not judged yet, not even exp. */
export type SignedHint = {
  /** RFC 8725 §3.11: typ of the JWS header. */
  readonly typ: string | undefined
  readonly claims: Readonly<Record<string, unknown>>
}

/**
 * A JWT that must be signed with a client_secret, whose signature is not verified; or a JWE whose key is derived from one,
 * without the claims, which are inside.
 */
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

// The client whose client_secret must have signed a hint, OpenID Core §10.1, or have encrypted it, OpenID Core §10.2.

// OpenID Core §10.2: "dir" and the key wrappings of AES.
const isEncryptedBySecret = (alg: string): boolean => usesSecret(alg) && !isSymmetricSignature(alg)

/**
 * The client that an unverified hint names. OpenID Core §10.1: the audience is the client alone, since no other party knows
 * its secret. RP-Initiated Logout §2: the client that the request names, where the claims are encrypted.
 */
export const clientOfUnverified = (
  { alg, claims: { aud } }: UnverifiedHint,
  requested: string | undefined,
): ClientId | undefined => {
  const [client, ...more]: ReadonlyArray<unknown> = [isEncryptedBySecret(alg) ? requested : aud].flat()
  return usesSecret(alg) && more.length === 0 && ClientId.is(client) ? client : undefined
}

const isSignedBySecret = (alg: string, { metadata }: Pick<RegisteredClient, 'metadata'>): boolean =>
  isSymmetricSignature(alg) && metadata.id_token_signed_response_alg === alg

/**
 * The secret that signs the logout tokens of a client by the algorithm: its newest one, also where it has expired, because an
 * application that is not told of a logout goes on with its session.
 */
export const signingSecret = (
  alg: string,
  { metadata, secret }: Pick<RegisteredClient, 'metadata' | 'secret'>,
): string | undefined =>
  isSignedBySecret(alg, { metadata }) && secret !== undefined && secret.client_secret.length >= neededSecretLength(alg)
    ? secret.client_secret
    : undefined

/**
 * The secrets of a client by which its ID tokens may be signed, or from which their key may be derived, by the registered
 * algorithm.
 */
export const secretsOfHint =
  (alg: string, at: EpochSeconds) =>
  (client: RegisteredClient): ReadonlyArray<string> => {
    const isEncrypted = isEncryptedBySecret(alg) && client.metadata.id_token_encrypted_response_alg === alg
    if (!isEncrypted && !isSignedBySecret(alg, client)) return []
    return secretsOfIssued(client, at).filter(({ length }) => isEncrypted || length >= neededSecretLength(alg))
  }

// The parameters of the end-session endpoint: OpenID RP-Initiated Logout §2.
const decisive = ['id_token_hint', 'post_logout_redirect_uri', 'state', 'client_id'] as const

/** Each parameter with all of its values. */
export type LogoutParameters = Readonly<Record<string, ReadonlyArray<string>>>

export type LogoutRequest = {
  readonly idTokenHint: string | undefined
  readonly postLogoutRedirectUri: string | undefined
  readonly state: string | undefined
  readonly clientId: string | undefined
  /** Whether a decisive parameter has two values: the service does not guess between them. */
  readonly repeated: boolean
}

/** The maximum length of state as encoded in the redirect; a longer one is left out. */
const maxState = 4_096

// RFC 6749 §3.1: a parameter without a value counts as absent
const valuesOf = (parameters: LogoutParameters, name: string): ReadonlyArray<string> =>
  (Object.hasOwn(parameters, name) ? (parameters[name] ?? []) : []).filter((value) => value !== '')

/** The only value of a parameter; undefined when it has several. */
export const singleValue = (parameters: LogoutParameters, name: string): string | undefined => {
  const [value, ...more] = valuesOf(parameters, name)
  return more.length === 0 ? value : undefined
}

// A URL cannot encode an unpaired surrogate.
const permittedState = (state: string | undefined): string | undefined =>
  state !== undefined && state.isWellFormed() && encodeURIComponent(state).length <= maxState ? state : undefined

/** The parsed request. logout_hint is ignored: the session names the end-user. */
export const readLogoutRequest = (parameters: LogoutParameters): LogoutRequest => ({
  idTokenHint: singleValue(parameters, 'id_token_hint'),
  postLogoutRedirectUri: singleValue(parameters, 'post_logout_redirect_uri'),
  state: permittedState(singleValue(parameters, 'state')),
  clientId: singleValue(parameters, 'client_id'),
  repeated: decisive.some((name) => valuesOf(parameters, name).length > 1),
})
