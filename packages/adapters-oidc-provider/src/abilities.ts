// What the engine does: its endpoints, lifetimes, what it does of what clients register, and what the metadata documents say
// of it. It does all algorithms of the domain.
import {
  asymmetricAlgorithms,
  contentEncryptions,
  keyManagementAlgorithms,
  symmetricAlgorithms,
} from '@clientele/domain/client'
import type { JsonObject } from '@clientele/domain/kernel'
import { encryptionRing } from '@clientele/domain/keys'
import { ownScopeValues } from '@clientele/domain/provider'
import type { EngineSettings } from './ports.js'

/** The names of the engine for its routes, and their paths below the base URL. */
export const endpoints = {
  authorization: '/authorize',
  token: '/token',
  userinfo: '/userinfo',
  introspection: '/introspect',
  revocation: '/revoke',
  pushed_authorization_request: '/par',
} as const

const paths: ReadonlyArray<string> = Object.values(endpoints)

/** Routes that the engine always has, and that this service never serves. */
export const unservedEndpoints = { jwks: '/unserved/jwks', end_session: '/unserved/end-session' } as const

/** The first segments of paths that belong to the engine or to its pages. */
export const enginePaths: ReadonlyArray<string> = [...paths.map((path) => path.slice(1)), 'interaction']

/** The page of an interaction. */
export const interactionPath = (id: string): string => `/interaction/${id}`

const resumed = /^\/authorize\/[A-Za-z0-9_-]{1,128}$/

/** The methods of a route of `routeOf`, beside those of a preflight request. */
export const methodsOf = (route: string): ReadonlyArray<string> => {
  if (route === endpoints.authorization || route === endpoints.userinfo) return ['GET', 'HEAD', 'POST']
  return paths.includes(route) ? ['POST'] : ['GET', 'HEAD']
}

/** The pattern of the route with this path below the base URL; undefined for paths of others. */
export const routeOf = (path: string): string | undefined => {
  if (paths.includes(path)) return path
  return resumed.test(path) ? `${endpoints.authorization}/:id` : undefined
}

// In seconds.
const day = 86_400

/** RFC 6749 §4.1.2: ten minutes at most. */
export const codeLifetime = 60
/** An ID token is a statement about the sign-in, and needed only until its client has read it. */
export const idTokenLifetime = 3_600
/** Time to sign in and consent. */
export const interactionLifetime = 3_600
/** The consent itself is remembered longer; refresh tokens end with their grant at the latest. */
export const grantLifetime = 365 * day
/** An end-user session ends earlier by its own lifetimes. */
export const sessionLifetime = 365 * day

/** RFC 6749 §4 */
export const grantTypes = ['authorization_code', 'implicit', 'refresh_token', 'client_credentials'] as const

type ResponseType = 'code' | 'id_token' | 'code id_token' | 'none' | 'id_token token'

/** RFC 9700 §2.1.2: no access token is sent in an authorization response, unless the operator offers that by a setting. */
export const responseTypesOf = ({
  offersImplicitTokens,
}: Pick<EngineSettings, 'offersImplicitTokens'>): ReadonlyArray<ResponseType> => [
  'code',
  'id_token',
  'code id_token',
  'none',
  ...(offersImplicitTokens ? (['id_token token'] as const) : []),
]

export const authMethods = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const

/** By member of client metadata. It binds no token to a certificate. */
export const servedBy = (
  settings: Pick<EngineSettings, 'offersImplicitTokens'>,
): Readonly<Record<'grant_types' | 'response_types' | 'token_endpoint_auth_method', ReadonlyArray<string>>> => ({
  grant_types: grantTypes,
  response_types: responseTypesOf(settings),
  token_endpoint_auth_method: authMethods,
})

/** OpenID Core §5.4 */
export const claimsByScope: Readonly<Record<string, ReadonlyArray<string>>> = {
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  address: ['address'],
  phone: ['phone_number', 'phone_number_verified'],
}

/** RFC 7518 §3.1, RFC 8037 §3.1: the algorithms by which clients sign. */
export const allSignatures = [...asymmetricAlgorithms, ...symmetricAlgorithms]

const responses = ['id_token', 'userinfo', 'introspection', 'authorization']
/** RFC 9101 §6.1: by the key of this service, or by the secret of the client. */
const requestEncryptions = [encryptionRing.alg, ...keyManagementAlgorithms.filter((alg) => !/^(?:RSA|ECDH)/.test(alg))]

const listed = (names: ReadonlyArray<string>, suffix: string, values: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [`${name}_${suffix}_values_supported`, values]))

type Described = Pick<
  EngineSettings,
  'issuer' | 'signingAlgorithms' | 'scopes' | 'offersImplicitTokens' | 'requestUris' | 'requirePar'
> & {
  /** The methods by which clients may authenticate, of those that the engine has. */
  readonly methods?: ReadonlyArray<string>
  /** The algorithms by which clients may sign their assertions. */
  readonly assertions?: ReadonlyArray<string>
  /** Those by which they may sign their proofs, among others. */
  readonly proofs?: ReadonlyArray<string>
  /** The grants and response types that clients may have, of those that the engine has. */
  readonly types?: Pick<ReturnType<typeof servedBy>, 'grant_types' | 'response_types'>
}

/** The members that the engine determines, whatever the operator declares: OpenID Discovery §3, RFC 8414 §2. */
export const engineMetadata = ({
  issuer,
  signingAlgorithms,
  scopes,
  offersImplicitTokens,
  requestUris,
  requirePar,
  methods: permitted = authMethods,
  assertions = allSignatures,
  proofs = allSignatures,
  types = servedBy({ offersImplicitTokens }),
}: Described): JsonObject => {
  const methods = authMethods.filter((method) => permitted.includes(method))
  return {
    // RFC 9126 §5, RFC 7662, RFC 7009 §2, RFC 6749 §3.2
    ...Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [`${name}_endpoint`, `${issuer}${path}`])),
    token_endpoint_auth_methods_supported: methods,
    // Registration narrows the algorithms further: they are those of a member of client metadata.
    token_endpoint_auth_signing_alg_values_supported: allSignatures,
    revocation_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_signing_alg_values_supported: assertions,
    // RFC 7662 §2.1: a client that introspects authenticates.
    introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none'),
    introspection_endpoint_auth_signing_alg_values_supported: assertions,
    ...listed(responses, 'signing_alg', [...signingAlgorithms, ...symmetricAlgorithms]),
    ...listed(responses, 'encryption_alg', keyManagementAlgorithms),
    ...listed(['request_object'], 'signing_alg', allSignatures),
    ...listed(['request_object'], 'encryption_alg', requestEncryptions),
    ...listed([...responses, 'request_object'], 'encryption_enc', contentEncryptions),
    // OpenID CIBA and ETSI GS NFV-SEC 022 are not done.
    backchannel_token_delivery_modes_supported: [],
    ...listed(['backchannel_authentication_request', 'nfv_token'], 'signing_alg', []),
    ...listed(['nfv_token'], 'encryption_alg', []),
    ...listed(['nfv_token'], 'encryption_enc', []),
    grant_types_supported: types.grant_types,
    response_types_supported: types.response_types,
    response_modes_supported: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
    scopes_supported: [...new Set([...ownScopeValues, ...scopes])],
    claims_supported: ['sub', 'iss', 'auth_time', 'acr', 'amr', 'sid', ...Object.values(claimsByScope).flat()],
    claim_types_supported: ['normal'],
    subject_types_supported: ['public', 'pairwise'],
    // Initiating User Registration 1.0 §4.1
    prompt_values_supported: ['none', 'login', 'select_account', 'consent'],
    // RFC 7636 §4.2
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: asymmetricAlgorithms.filter((each) => proofs.includes(each)),
    // RFC 9126 §5
    require_pushed_authorization_requests: requirePar,
    // RFC 9207 §3
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: true,
    request_uri_parameter_supported: requestUris,
    ...(requestUris ? { require_request_uri_registration: true } : {}),
  }
}
