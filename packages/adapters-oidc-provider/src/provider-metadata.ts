// What the metadata documents say of the engine: OpenID Discovery §3, RFC 8414 §2.
import { contentEncryptions, isSymmetricSignature, keyManagementAlgorithms } from '@clientele/domain/client'
import type { JsonObject } from '@clientele/domain/kernel'
import { encryptionRing } from '@clientele/domain/keys'
import { ownScopeValues } from '@clientele/domain/provider'
import { authMethods, claimsByScope, clientSignatures, grantTypes, responseTypes } from './abilities.js'
import type { EngineSettings } from './ports.js'
import { endpoints } from './routes.js'

const { symmetric } = clientSignatures
const allSignatures = [...clientSignatures.asymmetric, ...symmetric]
const responses = ['id_token', 'userinfo', 'introspection', 'authorization']
const request = ['request_object']
/** RFC 9101 §6.1: by the key of this service, or by the secret of the client. */
const requestEncryptions = [encryptionRing.alg, ...keyManagementAlgorithms.filter((alg) => !/^(?:RSA|ECDH)/.test(alg))]

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

type Authentication = {
  /** The methods by which clients may authenticate, of those that the engine has. */
  readonly methods?: ReadonlyArray<string>
  /** The algorithms by which clients may sign. */
  readonly signatures?: ReadonlyArray<string>
}

// Registration narrows the algorithms at the token endpoint further: they are those of a member of client metadata.
const authenticationBy = ({ methods, signatures }: Required<Authentication>): JsonObject => ({
  token_endpoint_auth_methods_supported: methods,
  token_endpoint_auth_signing_alg_values_supported: allSignatures,
  revocation_endpoint_auth_methods_supported: methods,
  revocation_endpoint_auth_signing_alg_values_supported: signatures,
  // RFC 7662 §2.1: a client that introspects authenticates.
  introspection_endpoint_auth_methods_supported: methods.filter((method) => method !== 'none'),
  introspection_endpoint_auth_signing_alg_values_supported: signatures,
})

type Described = Pick<EngineSettings, 'issuer' | 'signingAlgorithms' | 'scopes'> & Authentication

/** The members that the engine determines, whatever the operator declares. */
export const engineMetadata = ({
  issuer,
  signingAlgorithms,
  scopes,
  methods = authMethods,
  signatures = allSignatures,
}: Described): JsonObject => ({
  ...endpointsBelow(issuer),
  ...authenticationBy({ methods: authMethods.filter((method) => methods.includes(method)), signatures }),
  ...listed(responses, 'signing_alg', [...signingAlgorithms, ...symmetric]),
  ...listed(responses, 'encryption_alg', keyManagementAlgorithms),
  ...listed(request, 'signing_alg', allSignatures),
  ...listed(request, 'encryption_alg', requestEncryptions),
  ...listed([...responses, ...request], 'encryption_enc', contentEncryptions),
  // OpenID CIBA and ETSI GS NFV-SEC 022 are not done.
  backchannel_token_delivery_modes_supported: [],
  ...listed(['backchannel_authentication_request', 'nfv_token'], 'signing_alg', []),
  ...listed(['nfv_token'], 'encryption_alg', []),
  ...listed(['nfv_token'], 'encryption_enc', []),
  grant_types_supported: grantTypes,
  response_types_supported: responseTypes,
  response_modes_supported: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
  scopes_supported: [...new Set([...ownScopeValues, ...scopes])],
  claims_supported: ['sub', 'iss', 'auth_time', 'acr', 'sid', ...Object.values(claimsByScope).flat()],
  claim_types_supported: ['normal'],
  subject_types_supported: ['public', 'pairwise'],
  // RFC 7636 §4.2
  code_challenge_methods_supported: ['S256'],
  dpop_signing_alg_values_supported: signatures.filter((each) => !isSymmetricSignature(each)),
  // RFC 9207 §3
  authorization_response_iss_parameter_supported: true,
  claims_parameter_supported: false,
  request_parameter_supported: true,
  request_uri_parameter_supported: false,
})
