// The format of Keycloak.
import { type ImportFinding, type LeftOutId, type ReadClientRecord, importNote } from '@clientele/domain/importing'
import { isPlainObject, ownMember } from '@clientele/domain/kernel'
import { type JsonRecord, clientRecord, jsonOf, leftOut, noClient, objectOf, present, textOf } from './records.js'

// How a client of Keycloak authenticates.

const methods: ReadonlyMap<string, string> = new Map([
  ['client-secret', 'client_secret_basic'],
  ['client-jwt', 'private_key_jwt'],
  ['client-secret-jwt', 'client_secret_jwt'],
  ['client-x509', 'tls_client_auth'],
])

const methodOf = (client: JsonRecord): string => {
  if (ownMember(client, 'publicClient') === true) return 'none'
  const authenticator = textOf(client, 'clientAuthenticatorType') ?? 'client-secret'
  // An authenticator of a plugin is named as it is, and refused as an unknown method.
  return methods.get(authenticator) ?? authenticator
}

// An export of the administration console hides secrets, and a vault keeps others.
const hidden = /^(?:\*+|\$\{vault\..*\})$/

const seconds = (text: string | undefined): number | undefined =>
  text === undefined || text === '' || !Number.isFinite(Number(text)) ? undefined : Number(text)

const keysOf = (attributes: JsonRecord): JsonRecord => ({
  jwks_uri: textOf(attributes, 'use.jwks.url') === 'true' ? textOf(attributes, 'jwks.url') : undefined,
  jwks: textOf(attributes, 'use.jwks.string') === 'true' ? jsonOf(textOf(attributes, 'jwks.string')) : undefined,
})

type KeycloakAuthentication = {
  readonly credentials: JsonRecord
  readonly metadata: JsonRecord
  readonly notes: ReadonlyArray<ImportFinding>
}

const keycloakAuthentication = (client: JsonRecord, attributes: JsonRecord): KeycloakAuthentication => {
  const method = methodOf(client)
  const secret = ownMember(client, 'secret')
  const isHidden = typeof secret === 'string' && hidden.test(secret)
  return {
    credentials: present({
      client_secret: isHidden || secret === '' ? undefined : secret,
      client_secret_expires_at: seconds(textOf(attributes, 'client.secret.expiration.time')),
    }),
    metadata: {
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: textOf(attributes, 'token.endpoint.auth.signing.alg'),
      tls_client_auth_subject_dn: method === 'tls_client_auth' ? textOf(attributes, 'x509.subjectdn') : undefined,
      ...keysOf(attributes),
    },
    notes: [
      ...(isHidden && method !== 'none' ? [importNote('secret-hidden')('client_secret')] : []),
      ...(method === 'client_secret_basic' ? [importNote('auth-method-chosen')('token_endpoint_auth_method')] : []),
    ],
  }
}

// The metadata of a client of Keycloak: its members, and its attributes, whose values are texts.

const isOn = (client: JsonRecord, name: string): boolean => ownMember(client, name) === true
const isTrue = (attributes: JsonRecord, name: string): boolean => textOf(attributes, name) === 'true'

const grantsOf = (client: JsonRecord, attributes: JsonRecord): ReadonlyArray<string> => {
  const standard = ownMember(client, 'standardFlowEnabled') !== false
  const refreshes = standard && textOf(attributes, 'use.refresh.tokens') !== 'false'
  return [
    ...(standard ? ['authorization_code'] : []),
    ...(isOn(client, 'implicitFlowEnabled') ? ['implicit'] : []),
    ...(isOn(client, 'directAccessGrantsEnabled') ? ['password'] : []),
    ...(isOn(client, 'serviceAccountsEnabled') ? ['client_credentials'] : []),
    ...(refreshes ? ['refresh_token'] : []),
    ...(isTrue(attributes, 'oauth2.device.authorization.grant.enabled')
      ? ['urn:ietf:params:oauth:grant-type:device_code']
      : []),
  ]
}

// Keycloak answers with every combination of the flows that are enabled.
const responsesOf = (grants: ReadonlyArray<string>): ReadonlyArray<string> => {
  const code = grants.includes('authorization_code')
  const implicit = grants.includes('implicit')
  return [
    ...(code ? ['code'] : []),
    ...(implicit ? ['id_token', 'id_token token'] : []),
    ...(code && implicit ? ['code id_token', 'code token', 'code id_token token'] : []),
  ]
}

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const texts = (value: unknown): ReadonlyArray<unknown> => (isList(value) ? value : [])

// A relative redirection URI begins at the root URL.
const absolute =
  (rootUrl: string | undefined) =>
  (uri: unknown): unknown =>
    typeof uri === 'string' && uri.startsWith('/') && rootUrl !== undefined && rootUrl !== ''
      ? `${rootUrl.replace(/\/$/, '')}${uri}`
      : uri

const split = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text === undefined || text === '' ? undefined : text.split('##')

// "+" stands for the redirection URIs, and "-" for none.
const afterLogout = (
  attributes: JsonRecord,
  redirectUris: ReadonlyArray<unknown>,
  resolve: (uri: unknown) => unknown,
): ReadonlyArray<unknown> | undefined =>
  split(textOf(attributes, 'post.logout.redirect.uris'))
    ?.filter((uri) => uri !== '-')
    .flatMap((uri) => (uri === '+' ? redirectUris : [resolve(uri)]))

const attributeNames = {
  logo_uri: 'logoUri',
  tos_uri: 'tosUri',
  policy_uri: 'policyUri',
  sector_identifier_uri: 'sectorIdentifierUri',
  id_token_signed_response_alg: 'id.token.signed.response.alg',
  id_token_encrypted_response_alg: 'id.token.encrypted.response.alg',
  id_token_encrypted_response_enc: 'id.token.encrypted.response.enc',
  userinfo_signed_response_alg: 'user.info.response.signature.alg',
  userinfo_encrypted_response_alg: 'user.info.encrypted.response.alg',
  userinfo_encrypted_response_enc: 'user.info.encrypted.response.enc',
  request_object_signing_alg: 'request.object.signature.alg',
  request_object_encryption_alg: 'request.object.encryption.alg',
  request_object_encryption_enc: 'request.object.encryption.enc',
  authorization_signed_response_alg: 'authorization.signed.response.alg',
  authorization_encrypted_response_alg: 'authorization.encrypted.response.alg',
  authorization_encrypted_response_enc: 'authorization.encrypted.response.enc',
  backchannel_logout_uri: 'backchannel.logout.url',
  frontchannel_logout_uri: 'frontchannel.logout.url',
} as const

const flagNames = {
  backchannel_logout_session_required: 'backchannel.logout.session.required',
  frontchannel_logout_session_required: 'frontchannel.logout.session.required',
  require_pushed_authorization_requests: 'require.pushed.authorization.requests',
  dpop_bound_access_tokens: 'dpop.bound.access.tokens',
  tls_client_certificate_bound_access_tokens: 'tls.client.certificate.bound.access.tokens',
} as const

// No restriction, or no signature
const saysNothing = ['', 'any', 'unsigned']

const fromAttributes = (attributes: JsonRecord): JsonRecord => {
  const named = Object.entries(attributeNames).map(([member, name]) => [member, textOf(attributes, name)] as const)
  const flags = Object.entries(flagNames).filter(([, name]) => isTrue(attributes, name))
  const values: ReadonlyArray<readonly [string, unknown]> = [
    ...named.filter(([, value]) => value !== undefined && !saysNothing.includes(value)),
    ...flags.map(([member]) => [member, true] as const),
  ]
  return Object.fromEntries(values)
}

const scopeOf = (client: JsonRecord): string => {
  const names = ['defaultClientScopes', 'optionalClientScopes'].flatMap((name) => texts(ownMember(client, name)))
  return [...new Set(['openid', ...names.map(String)])].join(' ')
}

const emptyAsAbsent = (text: string | undefined): string | undefined => (text === '' ? undefined : text)

const pageOf = (client: JsonRecord, resolve: (uri: unknown) => unknown): unknown => {
  const page = emptyAsAbsent(textOf(client, 'baseUrl')) ?? emptyAsAbsent(textOf(client, 'rootUrl'))
  return page === undefined ? undefined : resolve(page)
}

const keycloakMetadata = (client: JsonRecord, attributes: JsonRecord): JsonRecord => {
  const grant_types = grantsOf(client, attributes)
  const resolve = absolute(textOf(client, 'rootUrl'))
  const redirect_uris = texts(ownMember(client, 'redirectUris')).map(resolve)
  return present({
    client_name: emptyAsAbsent(textOf(client, 'name')),
    description: emptyAsAbsent(textOf(client, 'description')),
    client_uri: pageOf(client, resolve),
    grant_types,
    response_types: responsesOf(grant_types),
    redirect_uris: redirect_uris.length === 0 ? undefined : redirect_uris,
    post_logout_redirect_uris: afterLogout(attributes, redirect_uris, resolve),
    request_uris: split(textOf(attributes, 'request.uris')),
    default_acr_values: split(textOf(attributes, 'default.acr.values')),
    scope: scopeOf(client),
    ...fromAttributes(attributes),
  })
}

// Keycloak: a client of a realm export (ClientRepresentation).

// The clients that every realm has
const builtIn = [
  'account',
  'account-console',
  'admin-cli',
  'broker',
  'realm-management',
  'security-admin-console',
  'master-realm',
]

const reasonOf = (client: JsonRecord, clientId: string): LeftOutId | undefined => {
  if (builtIn.includes(clientId)) return 'built-in'
  if ((textOf(client, 'protocol') ?? 'openid-connect') !== 'openid-connect') return 'other-protocol'
  if (ownMember(client, 'bearerOnly') === true) return 'bearer-only'
  return ownMember(client, 'enabled') === false ? 'disabled' : undefined
}

// Members that change what the client may do or receives, and that this service has no place for
const unknownHere = ['webOrigins', 'protocolMappers', 'authorizationSettings', 'registeredNodes', 'consentRequired']

const saysSomething = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isPlainObject(value) ? Object.keys(value).length > 0 : value === true

const droppedOf = (client: JsonRecord): ReadonlyArray<ImportFinding> =>
  unknownHere.filter((name) => saysSomething(ownMember(client, name))).map((name) => importNote('member-dropped')(name))

export const readKeycloakClient: ReadClientRecord = (client) => {
  const client_id = isPlainObject(client) ? textOf(client, 'clientId') : undefined
  if (!isPlainObject(client) || client_id === undefined) return noClient()
  const reason = reasonOf(client, client_id)
  if (reason !== undefined) return leftOut(client_id, reason)
  const attributes = objectOf(ownMember(client, 'attributes'))
  const { credentials, metadata, notes } = keycloakAuthentication(client, attributes)
  return clientRecord(
    { client_id, ...credentials, metadata: present({ ...keycloakMetadata(client, attributes), ...metadata }) },
    [...notes, ...droppedOf(client)],
  )
}
