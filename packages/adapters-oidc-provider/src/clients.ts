// Clients as the engine has them: the form in which one is handed over, and what is known of it.
import { type ClientMetadata, matchRedirectUri, symmetricAlgorithms } from '@clientele/domain/client'
import { isOpenClient } from '@clientele/domain/life-cycle'
import type { SecretUse } from '@clientele/domain/ports'
import { type ArtefactKind, type KnownClient, registrationOfKnown } from '@clientele/domain/provider'
import type { RegisteredClient, Registration } from '@clientele/domain/registration'
import * as O from 'fp-ts/lib/Option.js'
import type { AllClientMetadata, ClientMetadata as EngineMetadata, Provider } from 'oidc-provider'
import { authMethods, grantTypes, responseTypesOf } from './abilities.js'
import type { EngineSettings } from './ports.js'

export type EngineClient = InstanceType<Provider['Client']>

const among = <const Values extends ReadonlyArray<string>>(values: Values, value: string): value is Values[number] =>
  values.includes(value)

// Two response types with the same words in another order are one (OAuth 2.0 Multiple Response Types §3).
const sorted = (responseType: string): string => responseType.split(' ').sort().join(' ')

/**
 * Whether the engine fulfils every promise of the metadata: it authenticates no client by its certificate, and binds no
 * token to one. A client for which it does not gets no grants.
 */
export const isServed = (metadata: ClientMetadata): boolean =>
  among(authMethods, metadata.token_endpoint_auth_method) &&
  metadata.tls_client_certificate_bound_access_tokens !== true

const responseNames = ['id_token', 'userinfo', 'introspection', 'authorization'] as const

// Algorithms with keys of this service, of which the operator may have removed some since the registration.
const signing = (metadata: ClientMetadata, algorithms: ReadonlyArray<string>): AllClientMetadata => {
  const able = new Set([...algorithms, ...symmetricAlgorithms])
  const named = responseNames.flatMap((name): ReadonlyArray<readonly [string, string]> => {
    const member = `${name}_signed_response_alg` as const
    const algorithm = metadata[member]
    return algorithm !== undefined && able.has(algorithm) ? [[member, algorithm]] : []
  })
  return Object.fromEntries([['id_token_signed_response_alg', algorithms[0]], ...named])
}

// The engine encrypts signed responses only.
const encrypting = (metadata: ClientMetadata, signed: AllClientMetadata): AllClientMetadata => {
  const byDefault = signed.id_token_signed_response_alg
  const members = responseNames.flatMap((name) => {
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

const authenticating = ({ metadata }: RegisteredClient, secret: string | undefined): AllClientMetadata => {
  const method = metadata.token_endpoint_auth_method
  const byJwt = method === 'private_key_jwt' || method === 'client_secret_jwt'
  return {
    token_endpoint_auth_method: among(authMethods, method) ? method : 'none',
    ...(byJwt && metadata.token_endpoint_auth_signing_alg !== undefined
      ? { token_endpoint_auth_signing_alg: metadata.token_endpoint_auth_signing_alg }
      : {}),
    ...(secret === undefined ? {} : { client_secret: secret }),
  }
}

const keysOf = ({ jwks, jwks_uri }: ClientMetadata): AllClientMetadata => {
  if (jwks !== undefined) return { jwks: structuredClone(jwks) as unknown as NonNullable<AllClientMetadata['jwks']> }
  return jwks_uri === undefined ? {} : { jwks_uri }
}

// The engine has rules of its own for these; the registered values are set after it has judged the rest.
const judged = { application_type: 'web', redirect_uris: ['https://client.invalid/'], subject_type: 'public' } as const

// RFC 9449 §5: no proof comes with an authorization request, so that a token in its response would not be bound.
const isBound = (metadata: ClientMetadata, responseType: string): boolean =>
  metadata.dpop_bound_access_tokens !== true || !responseType.split(' ').includes('token')

type LoadSettings = Pick<EngineSettings, 'signingAlgorithms' | 'offersImplicitTokens'>

/** The metadata that the engine judges when it loads the client, with one of its secrets. */
const handedMetadata = (
  client: RegisteredClient,
  secret: string | undefined,
  settings: LoadSettings,
): EngineMetadata => {
  const { metadata } = client
  const served = isServed(metadata)
  const signed = signing(metadata, settings.signingAlgorithms)
  const registered = new Set(metadata.response_types.map(sorted))
  const responseTypes = responseTypesOf(settings).filter((each) => isBound(metadata, each))
  return {
    ...judged,
    grant_types: served ? metadata.grant_types.filter((each) => among(grantTypes, each)) : [],
    response_types: served ? responseTypes.filter((each) => registered.has(sorted(each))) : [],
    ...authenticating(client, secret),
    ...signed,
    ...encrypting(metadata, signed),
    ...requesting(metadata),
    ...keysOf(metadata),
    client_id: client.client_id,
  }
}

/** The keys that the engine derives from a secret; by the first that fits it signs, and by each that fits it verifies and decrypts. */
type WithKeys = { readonly symmetricKeyStore: Iterable<object> & { readonly add: (key: object) => void } }

/** The client as the engine has it, with the secrets that count at present, the newest first. */
export const loadClient = (
  { Client }: Pick<Provider, 'Client'>,
  settings: LoadSettings,
  known: KnownClient,
  secrets: ReadonlyArray<string>,
): EngineClient => {
  // The declared type of the class has no constructor with metadata.
  const Loading = Client as unknown as new (metadata: EngineMetadata) => EngineClient & WithKeys
  const { metadata, secret } = known.client
  // The newest secret in force; the expired one where none is. find-client.ts sees to it that an answer is never made by the
  // preceding one (checkClientSecretExpiration).
  const [first = secret?.client_secret, ...others] = secrets
  const client = new Loading(handedMetadata(known.client, first, settings))
  for (const other of others)
    for (const key of new Loading(handedMetadata(known.client, other, settings)).symmetricKeyStore)
      client.symmetricKeyStore.add(key)
  // No rule of the engine applies to these.
  return Object.assign(client, {
    known,
    secrets,
    applicationType: metadata.application_type,
    redirectUris: metadata.redirect_uris ?? [],
    subjectType: metadata.subject_type,
    sectorIdentifierUri: metadata.sector_identifier_uri,
    tokenEndpointAuthMethod: metadata.token_endpoint_auth_method,
  })
}

const knownOf = (client: EngineClient): KnownClient => client['known'] as KnownClient

/** What the client is, at the version that the engine has loaded. */
export const registeredOf = (client: EngineClient): RegisteredClient => knownOf(client).client

/** The secrets that count, as the engine has loaded them. */
export const secretsOf = (client: EngineClient): ReadonlyArray<string> => client['secrets'] as ReadonlyArray<string>

/** Whether an end-user must be asked, whatever was consented to before. */
export const isUnapproved = (client: EngineClient): boolean => knownOf(client).kind === 'documented'

/** The registration of a client that the engine has loaded; a document without an approval has none. */
export const registrationOf = (client: EngineClient): Registration | undefined => {
  const stored = registrationOfKnown(knownOf(client))
  return stored === undefined ? undefined : { client_id: stored.client_id, registration_id: stored.registration_id }
}

/** The client authenticated by one of its secrets. */
export const useSecret = (ports: SecretUse, client: EngineClient, secret: string): void => {
  const registration = registrationOf(client)
  if (registration !== undefined) ports.useSecret(registration, secret)
}

/** Whether an end-user has approved the URI, of the document or the registration. */
export const isApprovedUri = (client: EngineClient, requested: unknown): boolean => {
  const approved = registrationOfKnown(knownOf(client))
  return (
    approved !== undefined && typeof requested === 'string' && O.isSome(matchRedirectUri(approved.metadata, requested))
  )
}

/** Whether nobody vouches for the client: where anyone may register one, its secret and its keys prove nothing. */
export const isOfNobody = (client: EngineClient): boolean => isOpenClient(registeredOf(client))

/** The backend of an application pushes the requests of many end-users; a client without authentication may be any party. */
export const isPushedByAnyone = (client: EngineClient): boolean =>
  client.tokenEndpointAuthMethod === 'none' || isOfNobody(client)

const ofClients: ReadonlyArray<ArtefactKind> = [
  'authorization_code',
  'access_token',
  'refresh_token',
  'client_credentials',
]

/** Whether the artefact is one that a client gets: to ask for it is no use, because any browser may. */
export const isUse = (kind: ArtefactKind): boolean => ofClients.includes(kind)
