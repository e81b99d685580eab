// Keycloak: a client of a realm export (ClientRepresentation), with attributes whose values are texts.
import { importNote } from '@clientele/domain/importing'
import { ownMember } from '@clientele/domain/kernel'
import {
  type JsonRecord,
  type Said,
  clientsBy,
  droppedNote,
  isEmpty,
  isList,
  jsonOf,
  objectOf,
  renamed,
  textOf,
} from './record-parts.js'

// The clients that every realm has
const builtIn = /^(account|account-console|admin-cli|broker|realm-management|security-admin-console|master-realm)$/

const methods: JsonRecord = {
  'client-secret': 'client_secret_basic',
  'client-jwt': 'private_key_jwt',
  'client-secret-jwt': 'client_secret_jwt',
  'client-x509': 'tls_client_auth',
}

// An export of the administration console hides secrets, and a vault keeps others.
const hidden = /^(?:\*+|\$\{vault\..*\})$/

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

// Keycloak answers with every combination of the flows that are enabled.
const responseTypes = ['code', 'id_token', 'id_token token', 'code id_token', 'code token', 'code id_token token']

// Members that change what the client may do or receives, and that this service has no place for
const keycloakUnknown = ['webOrigins', 'protocolMappers', 'authorizationSettings', 'registeredNodes', 'consentRequired']

const isOn = (client: JsonRecord, name: string): boolean => ownMember(client, name) === true
const isTrue = (attributes: JsonRecord, name: string): boolean => textOf(attributes, name) === 'true'
const filled = (record: JsonRecord, name: string): string | undefined => textOf(record, name) || undefined
const listOf = (value: unknown): ReadonlyArray<unknown> => (isList(value) ? value : [])
const unique = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]
const split = (attributes: JsonRecord, name: string): ReadonlyArray<string> | undefined =>
  filled(attributes, name)?.split('##')

const requiresRequestObject = (attributes: JsonRecord): boolean =>
  /^request or request_uri$|^request(_uri)? only$/.test(textOf(attributes, 'request.object.required') ?? '')

// The attributes that change what the client may do or must do, and that this service has no place for
const droppedAttributes = (attributes: JsonRecord, metadata: JsonRecord): ReadonlyArray<string> => [
  ...(isTrue(attributes, 'oidc.ciba.grant.enabled') ? ['oidc.ciba.grant.enabled'] : []),
  ...(requiresRequestObject(attributes) && !isOn(metadata, 'require_signed_request_object')
    ? ['request.object.required']
    : []),
]

const grantsOf = (client: JsonRecord, attributes: JsonRecord): ReadonlyArray<string> => {
  const isStandard = ownMember(client, 'standardFlowEnabled') !== false
  const granted = {
    authorization_code: isStandard,
    implicit: isOn(client, 'implicitFlowEnabled'),
    password: isOn(client, 'directAccessGrantsEnabled'),
    client_credentials: isOn(client, 'serviceAccountsEnabled'),
    refresh_token: isStandard && textOf(attributes, 'use.refresh.tokens') !== 'false',
    'urn:ietf:params:oauth:grant-type:device_code': isTrue(attributes, 'oauth2.device.authorization.grant.enabled'),
  }
  return Object.entries(granted).flatMap(([grant, isGranted]) => (isGranted ? [grant] : []))
}

const fromAttributes = (attributes: JsonRecord): JsonRecord => {
  const named = Object.entries(renamed(attributes, attributeNames))
  const flags = Object.entries(flagNames).filter(([, name]) => isTrue(attributes, name))
  return {
    // No restriction, or no signature
    ...Object.fromEntries(named.filter(([, value]) => typeof value === 'string' && !/^(any|unsigned)?$/.test(value))),
    ...Object.fromEntries(flags.map(([member]) => [member, true])),
    // Keycloak also has clients that must send request objects, and need not sign them.
    ...(requiresRequestObject(attributes) &&
    !/^(any|none)?$/.test(textOf(attributes, 'request.object.signature.alg') ?? '')
      ? { require_signed_request_object: true }
      : {}),
  }
}

const keycloakMetadata = (client: JsonRecord, attributes: JsonRecord): JsonRecord => {
  const rootUrl = filled(client, 'rootUrl')
  // A relative URI begins at the root URL.
  const absolute = (uri: unknown): unknown =>
    typeof uri === 'string' && uri.startsWith('/') && rootUrl !== undefined ? rootUrl.replace(/\/$/, '') + uri : uri
  const redirect_uris = unique(listOf(ownMember(client, 'redirectUris')).map(absolute))
  const grant_types = grantsOf(client, attributes)
  const postLogout = split(attributes, 'post.logout.redirect.uris')?.filter((uri) => uri !== '-')
  const isAnswered = (part: string): boolean =>
    grant_types.includes(part === 'code' ? 'authorization_code' : 'implicit')
  const scopes = ['defaultClientScopes', 'optionalClientScopes'].flatMap((name) => listOf(ownMember(client, name)))
  return {
    client_name: filled(client, 'name'),
    description: filled(client, 'description'),
    client_uri: absolute(filled(client, 'baseUrl') ?? rootUrl),
    grant_types,
    response_types: responseTypes.filter((type) => type.split(' ').every(isAnswered)),
    redirect_uris: redirect_uris.length === 0 ? undefined : redirect_uris,
    // "+" stands for the redirection URIs, and "-" for none.
    post_logout_redirect_uris:
      postLogout && unique(postLogout.flatMap((uri) => (uri === '+' ? redirect_uris : [absolute(uri)]))),
    request_uris: split(attributes, 'request.uris'),
    default_acr_values: split(attributes, 'default.acr.values'),
    scope: unique(['openid', ...scopes.map(String)]).join(' '),
    ...fromAttributes(attributes),
  }
}

// An authenticator of a plugin is named as it is, and refused as an unknown method.
const methodOf = (client: JsonRecord): unknown => {
  const authenticator = textOf(client, 'clientAuthenticatorType') ?? 'client-secret'
  return isOn(client, 'publicClient') ? 'none' : (ownMember(methods, authenticator) ?? authenticator)
}

// The attribute stays after another method was chosen.
const assertionAlgOf = (method: unknown, attributes: JsonRecord): string | undefined =>
  method === 'private_key_jwt' || method === 'client_secret_jwt'
    ? filled(attributes, 'token.endpoint.auth.signing.alg')
    : undefined

const keycloakAuthentication = (client: JsonRecord, attributes: JsonRecord): Said => {
  const method = methodOf(client)
  const secret = ownMember(client, 'secret')
  const isHidden = typeof secret === 'string' && hidden.test(secret)
  const expiry = Number(filled(attributes, 'client.secret.expiration.time') ?? NaN)
  return {
    credentials: {
      client_secret: isHidden || secret === '' ? undefined : secret,
      client_secret_expires_at: Number.isFinite(expiry) ? expiry : undefined,
    },
    metadata: {
      token_endpoint_auth_method: method,
      token_endpoint_auth_signing_alg: assertionAlgOf(method, attributes),
      tls_client_auth_subject_dn: method === 'tls_client_auth' ? textOf(attributes, 'x509.subjectdn') : undefined,
      jwks_uri: isTrue(attributes, 'use.jwks.url') ? textOf(attributes, 'jwks.url') : undefined,
      jwks: isTrue(attributes, 'use.jwks.string') ? jsonOf(textOf(attributes, 'jwks.string')) : undefined,
    },
    notes: [
      ...(isHidden && method !== 'none' ? [importNote('secret-hidden')('client_secret')] : []),
      ...(method === 'client_secret_basic' ? [importNote('auth-method-chosen')('token_endpoint_auth_method')] : []),
    ],
  }
}

export const readKeycloakClient = clientsBy('clientId', (client, client_id) => {
  if (builtIn.test(client_id)) return 'built-in'
  if ((textOf(client, 'protocol') ?? 'openid-connect') !== 'openid-connect') return 'other-protocol'
  if (isOn(client, 'bearerOnly')) return 'bearer-only'
  if (ownMember(client, 'enabled') === false) return 'disabled'
  const attributes = objectOf(ownMember(client, 'attributes'))
  const { credentials, metadata, notes = [] } = keycloakAuthentication(client, attributes)
  const described = keycloakMetadata(client, attributes)
  const dropped = keycloakUnknown.filter((name) => {
    const value = ownMember(client, name)
    return value === true || (typeof value === 'object' && !isEmpty(value))
  })
  return {
    credentials,
    metadata: { ...described, ...metadata },
    notes: [...notes, ...[...dropped, ...droppedAttributes(attributes, described)].map(droppedNote)],
  }
})
