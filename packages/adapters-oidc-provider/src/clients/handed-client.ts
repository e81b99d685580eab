// The form of a registered client that the engine loads.
import type { ClientMetadata } from '@clientele/domain/client'
import type { KnownClient } from '@clientele/domain/provider'
import type { RegisteredClient } from '@clientele/domain/registration'
import type { AllClientMetadata, ClientMetadata as EngineMetadata } from 'oidc-provider'
import { authMethods, clientSignatures, grantTypes, responseTypes } from '../abilities.js'

const among = <const Values extends ReadonlyArray<string>>(values: Values, value: string): value is Values[number] =>
  values.includes(value)

// Two response types with the same words in another order are one (OAuth 2.0 Multiple Response Types §3).
const sorted = (responseType: string): string => responseType.split(' ').sort().join(' ')

const servedResponseTypes = ({ response_types }: ClientMetadata) => {
  const registered = new Set(response_types.map(sorted))
  return responseTypes.filter((each) => registered.has(sorted(each)))
}

/**
 * Whether the engine fulfils every promise of the metadata: it authenticates no client by its certificate, and binds no
 * token to one. A client for which it does not gets no grants.
 */
export const isServed = (metadata: ClientMetadata): boolean =>
  among(authMethods, metadata.token_endpoint_auth_method) &&
  metadata.tls_client_certificate_bound_access_tokens !== true

const signatures = (algorithms: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set([...algorithms, ...clientSignatures.symmetric])

// Algorithms with keys of this service, of which the operator may have removed some since the registration.
const signedMembers = [
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  'authorization_signed_response_alg',
] as const

const encryptedMembers = ['id_token', 'userinfo', 'introspection', 'authorization'] as const

const signing = (metadata: ClientMetadata, algorithms: ReadonlyArray<string>): AllClientMetadata => {
  const able = signatures(algorithms)
  const named = signedMembers.flatMap((member): ReadonlyArray<readonly [string, string]> => {
    const algorithm = metadata[member]
    return algorithm !== undefined && able.has(algorithm) ? [[member, algorithm]] : []
  })
  return Object.fromEntries([['id_token_signed_response_alg', algorithms[0]], ...named])
}

// The engine encrypts signed responses only.
const encrypting = (metadata: ClientMetadata, signed: AllClientMetadata): AllClientMetadata => {
  const byDefault = signed.id_token_signed_response_alg
  const members = encryptedMembers.flatMap((name) => {
    const alg = metadata[`${name}_encrypted_response_alg`]
    if (alg === undefined) return []
    return [
      [`${name}_signed_response_alg`, signed[`${name}_signed_response_alg`] ?? byDefault],
      [`${name}_encrypted_response_alg`, alg],
      [`${name}_encrypted_response_enc`, metadata[`${name}_encrypted_response_enc`]],
    ]
  })
  return Object.fromEntries(members) as AllClientMetadata
}

const requesting = (metadata: ClientMetadata): AllClientMetadata => ({
  ...(metadata.request_object_signing_alg === undefined || metadata.request_object_signing_alg === 'none'
    ? {}
    : { request_object_signing_alg: metadata.request_object_signing_alg }),
  ...(metadata.require_signed_request_object === true ? { require_signed_request_object: true } : {}),
  ...(metadata.require_pushed_authorization_requests === true ? { require_pushed_authorization_requests: true } : {}),
  ...(metadata.dpop_bound_access_tokens === true ? { dpop_bound_access_tokens: true } : {}),
  ...(metadata.default_max_age === undefined ? {} : { default_max_age: metadata.default_max_age }),
  ...(metadata.require_auth_time === true ? { require_auth_time: true } : {}),
})

const authenticating = ({ metadata, secret }: RegisteredClient): AllClientMetadata => {
  const method = metadata.token_endpoint_auth_method
  const byJwt = method === 'private_key_jwt' || method === 'client_secret_jwt'
  return {
    token_endpoint_auth_method: among(authMethods, method) ? method : 'none',
    ...(byJwt && metadata.token_endpoint_auth_signing_alg !== undefined
      ? { token_endpoint_auth_signing_alg: metadata.token_endpoint_auth_signing_alg }
      : {}),
    ...(secret ?? {}),
  }
}

const keysOf = ({ jwks, jwks_uri }: ClientMetadata): AllClientMetadata =>
  jwks !== undefined
    ? { jwks: structuredClone(jwks) as unknown as NonNullable<AllClientMetadata['jwks']> }
    : jwks_uri === undefined
      ? {}
      : { jwks_uri }

// The engine has rules of its own for these; the registered values are set after it has judged the rest.
const judged = { application_type: 'web', redirect_uris: ['https://client.invalid/'], subject_type: 'public' } as const

/** The metadata that the engine judges when it loads the client. */
export const handedMetadata = (client: RegisteredClient, algorithms: ReadonlyArray<string>): EngineMetadata => {
  const { metadata } = client
  const served = isServed(metadata)
  const signed = signing(metadata, algorithms)
  return {
    ...judged,
    grant_types: served ? metadata.grant_types.filter((each) => among(grantTypes, each)) : [],
    response_types: served ? [...servedResponseTypes(metadata)] : [],
    ...authenticating(client),
    ...signed,
    ...encrypting(metadata, signed),
    ...requesting(metadata),
    ...keysOf(metadata),
    client_id: client.client_id,
  }
}

/** What is set beside it: no rule of the engine applies to these. */
export type KnownFacts = {
  readonly known: KnownClient
  readonly applicationType: 'web' | 'native'
  readonly redirectUris: ReadonlyArray<string>
  readonly subjectType: 'public' | 'pairwise'
  readonly sectorIdentifierUri: string | undefined
  readonly tokenEndpointAuthMethod: string
}

export const knownFacts = (known: KnownClient): KnownFacts => {
  const { metadata } = known.client
  return {
    known,
    applicationType: metadata.application_type,
    redirectUris: metadata.redirect_uris ?? [],
    subjectType: metadata.subject_type,
    sectorIdentifierUri: metadata.sector_identifier_uri,
    tokenEndpointAuthMethod: metadata.token_endpoint_auth_method,
  }
}
