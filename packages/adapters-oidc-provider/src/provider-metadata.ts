// What the metadata documents say of the engine: OpenID Discovery §3, RFC 8414 §2.
import { type JsonObject, registrationScopeValues } from '@clientele/domain'
import {
  authMethods,
  claimsByScope,
  clientSignatures,
  commonScopes,
  contentEncryptions,
  encryptionAlgorithms,
  grantTypes,
  responseTypes,
} from './abilities.js'
import type { EngineSettings } from './ports.js'
import { endpoints } from './routes.js'

const { asymmetric, symmetric } = clientSignatures
const encrypted = ['id_token', 'userinfo', 'introspection', 'authorization', 'request_object']
const signedHere = ['id_token', 'userinfo', 'introspection', 'authorization']

const listed = (names: ReadonlyArray<string>, suffix: string, values: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(names.map((name) => [`${name}_${suffix}_values_supported`, values]))

// RFC 9126 §5, RFC 7662, RFC 7009 §2, RFC 6749 §3.2
const endpointsBelow = (issuer: string): JsonObject => ({
  authorization_endpoint: `${issuer}${endpoints.authorization}`,
  token_endpoint: `${issuer}${endpoints.token}`,
  userinfo_endpoint: `${issuer}${endpoints.userinfo}`,
  introspection_endpoint: `${issuer}${endpoints.introspection}`,
  revocation_endpoint: `${issuer}${endpoints.revocation}`,
  pushed_authorization_request_endpoint: `${issuer}${endpoints.pushed_authorization_request}`,
})

const authentication: JsonObject = Object.fromEntries(
  ['token', 'introspection', 'revocation'].flatMap((endpoint): ReadonlyArray<[string, ReadonlyArray<string>]> => [
    [`${endpoint}_endpoint_auth_methods_supported`, authMethods],
    [`${endpoint}_endpoint_auth_signing_alg_values_supported`, [...asymmetric, ...symmetric]],
  ]),
)

/** The members that the engine determines, whatever the operator declares. */
export const engineMetadata = ({
  issuer,
  signingAlgorithms,
  scopes,
}: Pick<EngineSettings, 'issuer' | 'signingAlgorithms' | 'scopes'>): JsonObject => ({
  ...endpointsBelow(issuer),
  ...authentication,
  ...listed(signedHere, 'signing_alg', [...signingAlgorithms, ...symmetric]),
  ...listed(['request_object'], 'signing_alg', [...asymmetric, ...symmetric]),
  ...listed(encrypted, 'encryption_alg', encryptionAlgorithms),
  ...listed(encrypted, 'encryption_enc', contentEncryptions),
  grant_types_supported: grantTypes,
  response_types_supported: responseTypes,
  response_modes_supported: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
  scopes_supported: [...new Set([...commonScopes, ...scopes])],
  claims_supported: ['sub', 'iss', 'auth_time', 'acr', 'sid', ...Object.values(claimsByScope).flat()],
  claim_types_supported: ['normal'],
  subject_types_supported: ['public', 'pairwise'],
  // RFC 7636 §4.2
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: asymmetric,
  // RFC 9207 §3
  authorization_response_iss_parameter_supported: true,
  claims_parameter_supported: false,
  request_parameter_supported: true,
  request_uri_parameter_supported: false,
})

/** Scope values that the engine knows beside those that it tells. */
export const untoldScopes = registrationScopeValues
