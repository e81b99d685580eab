// The formats that clients are imported from: how a record of another server becomes the draft of a client.
import {
  type ImportFinding,
  type LeftOutId,
  type ReadClientRecord,
  importFault,
  importNote,
  readExportedClient,
} from '@clientele/domain/importing'
import { EpochSeconds, isPlainObject, ownMember, secondsOfText } from '@clientele/domain/kernel'

// Parts of records.

type JsonRecord = Readonly<Record<string, unknown>>

const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

const textOf = (record: JsonRecord, name: string): string | undefined => {
  const value = ownMember(record, name)
  return typeof value === 'string' ? value : undefined
}

/** Without members that have no value. */
const present = (members: JsonRecord): JsonRecord =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null))

/** The values of members that have other names there. */
const renamed = (record: JsonRecord, names: Readonly<Record<string, string>>): JsonRecord =>
  Object.fromEntries(Object.entries(names).map(([member, name]) => [member, ownMember(record, name)]))

/** The JSON of a text column, or the value of a column of JSON. */
const jsonOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  try {
    const json: unknown = JSON.parse(value)
    return json
  } catch {
    return undefined
  }
}

const objectOf = (value: unknown): JsonRecord => {
  const json = jsonOf(value)
  return isPlainObject(json) ? json : {}
}

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  (isList(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0)

/** Seconds since the epoch, from a time of RFC 3339 or from milliseconds. */
export const secondsOf = (value: unknown): EpochSeconds | undefined => {
  const seconds =
    typeof value === 'string' ? secondsOfText(value) : typeof value === 'number' ? Math.floor(value / 1000) : undefined
  return EpochSeconds.is(seconds) ? seconds : undefined
}

/** What a record says of its client. */
type Said = {
  readonly credentials: JsonRecord
  readonly metadata: JsonRecord
  /** What the record has, and the other parts cannot say. */
  readonly notes?: ReadonlyArray<ImportFinding>
}

/** Reads the objects that have the client_id in the member; of a client that is left out, only the reason is said. */
const clientsBy =
  (idName: string, say: (record: JsonRecord, client_id: string) => Said | LeftOutId): ReadClientRecord =>
  (record) => {
    const client_id = isPlainObject(record) ? textOf(record, idName) : undefined
    if (!isPlainObject(record) || client_id === undefined)
      return { kind: 'broken', client_id, faults: [importFault('import-record')()] }
    const said = say(record, client_id)
    if (typeof said === 'string') return { kind: 'left_out', client_id, reason: said }
    const { credentials, metadata, notes = [] } = said
    return { kind: 'client', draft: { client_id, ...present(credentials), metadata: present(metadata) }, notes }
  }

const droppedNote = (name: string): ImportFinding => importNote('member-dropped')(name)

// Connect2id server: the client information of GET /clients, with client_secret and registration_access_token.

const keptNames = ['client_secret', 'client_secret_expires_at', 'client_id_issued_at', 'registration_access_token']

// RFC 7591 §3.2.1, RFC 7592 §3: what a server issues, which is no metadata
const issuedNames = ['client_id', 'registration_client_uri', ...keptNames]

/** Of a record whose members have the names of RFC 7591. */
const registered = (record: JsonRecord): Said => {
  const members = Object.entries(record)
  return {
    credentials: Object.fromEntries(members.filter(([name]) => keptNames.includes(name))),
    metadata: Object.fromEntries(members.filter(([name]) => !issuedNames.includes(name))),
  }
}

const readRegistered = clientsBy('client_id', registered)

// Ory Hydra: the client of its administrative API, as hydra list clients and hydra get client print it, or the row of
// its table. It never shows a secret after the registration, and stores a hash of it.

// bcrypt and PBKDF2, by the setting oauth2.hashers.algorithm
const hash = /^\$(?:2[aby]|pbkdf2-sha\d+|argon2\w*)\$/

const hydraOwn = ['created_at', 'updated_at', 'metadata', 'skip_consent', 'skip_logout_consent', 'owner']

// Hydra writes a member without a value as an empty one, and none for a response that is not signed.
const isHydraMetadata = ([name, value]: readonly [string, unknown]): boolean =>
  !isEmpty(value) &&
  !hydraOwn.includes(name) &&
  !name.endsWith('_lifespan') &&
  !(name.startsWith('skip_') && value === false) &&
  !(name === 'userinfo_signed_response_alg' && value === 'none')

const readHydraClient = clientsBy('client_id', (record) => {
  const { credentials, metadata } = registered(record)
  const secret = ownMember(record, 'client_secret')
  const isHashed = typeof secret === 'string' && hash.test(secret)
  const data = objectOf(ownMember(record, 'metadata'))
  return {
    credentials: {
      ...credentials,
      client_id_issued_at: ownMember(record, 'client_id_issued_at') ?? secondsOf(ownMember(record, 'created_at')),
      ...(isHashed || isEmpty(secret) ? { client_secret: undefined, client_secret_expires_at: undefined } : {}),
    },
    metadata: {
      ...Object.fromEntries(Object.entries(metadata).filter(isHydraMetadata)),
      ...(isEmpty(data) ? {} : { data }),
    },
    notes: isHashed ? [importNote('secret-hashed')('client_secret')] : [],
  }
})

// node-oidc-provider: what its adapter stores for the model Client, bare or within the record of the adapter, which keeps
// the payload in a column or member of this name, as JSON or as its text.

// The payload of a client has no kind; that of every other model has one.
const isOfOtherModel = (record: JsonRecord, payload: JsonRecord): boolean =>
  textOf(payload, 'kind') !== undefined ||
  (record !== payload &&
    ['model', 'type', 'kind', 'name'].some((name) => (textOf(record, name) ?? 'client').toLowerCase() !== 'client'))

const readOidcProviderClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record)) return readRegistered(record)
  const stored = ownMember(record, 'payload')
  const payload = stored === undefined ? record : objectOf(stored)
  if (isOfOtherModel(record, payload))
    return { kind: 'left_out', client_id: textOf(payload, 'client_id'), reason: 'not-a-client' }
  // The value of a registration access token is its id, and its payload names the client: it may stand beside the payload.
  const token = ownMember(record, 'registration_access_token')
  return readRegistered(token === undefined ? payload : { ...payload, registration_access_token: token })
}

// Better Auth: a row of the table oauthApplication (plugin oidc-provider) or oauthClient (plugin oauth-provider).

// A SHA-256 digest in base64url, and an encrypted text in hexadecimal; generated secrets have 32 letters.
const sealed = /^(?:[\w-]{43}|(?:[0-9a-f]{2}){48,})$/

const betterAuthNames = {
  client_name: 'name',
  client_uri: 'uri',
  logo_uri: 'icon',
  tos_uri: 'tos',
  policy_uri: 'policy',
  software_id: 'softwareId',
  software_version: 'softwareVersion',
  software_statement: 'softwareStatement',
} as const

// Members that change what the client may do, and that this service has no place for
const betterAuthUnknown = ['userId', 'referenceId', 'requirePKCE', 'skipConsent', 'enableEndSession', 'metadata']

/** The texts of a list, of a list as JSON, or of a text with separators; of the first column that has them. */
const listIn = (row: JsonRecord, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined =>
  names
    .map((name) => {
      const value = ownMember(row, name)
      const list = jsonOf(value)
      if (isList(list)) return list
      return typeof value === 'string' ? value.split(/[,\s]+/).filter((text) => text !== '') : undefined
    })
    .find((list) => list !== undefined)

const readBetterAuthClient = clientsBy('clientId', (row) => {
  // SQLite has no boolean.
  const isSet = (name: string): boolean => [true, 1].some((value) => ownMember(row, name) === value)
  if (isSet('disabled')) return 'disabled'
  const type = textOf(row, 'type')
  const isPublic = isSet('public') || type === 'public'
  // In oauthApplication, the plugin mcp writes public or web for whether a client has no secret.
  const isOfApplication = type === 'native' || (type === 'web' && Object.hasOwn(row, 'redirectUris'))
  const secret = ownMember(row, 'clientSecret')
  const isSealed = typeof secret === 'string' && sealed.test(secret)
  return {
    credentials: {
      client_secret: isSealed || secret === '' ? undefined : secret,
      client_id_issued_at: secondsOf(ownMember(row, 'createdAt')),
    },
    metadata: {
      redirect_uris: listIn(row, 'redirectUris', 'redirectUrls', 'redirectURLs'),
      post_logout_redirect_uris: listIn(row, 'postLogoutRedirectUris'),
      token_endpoint_auth_method:
        ownMember(row, 'tokenEndpointAuthMethod') ?? (isPublic ? 'none' : 'client_secret_basic'),
      application_type: isOfApplication ? type : undefined,
      // The plugin serves these to every client whose row names none.
      grant_types: listIn(row, 'grantTypes') ?? ['authorization_code', 'refresh_token'],
      response_types: listIn(row, 'responseTypes'),
      scope: listIn(row, 'scopes')?.join(' '),
      contacts: listIn(row, 'contacts'),
      ...renamed(row, betterAuthNames),
    },
    notes: [
      ...(isSealed ? [importNote('secret-hashed')('client_secret')] : []),
      ...Object.keys(present(row))
        .filter((name) => betterAuthUnknown.includes(name))
        .map(droppedNote),
    ],
  }
})

// Keycloak: a client of a realm export (ClientRepresentation), with attributes whose values are texts.

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
const split = (attributes: JsonRecord, name: string): ReadonlyArray<string> | undefined =>
  filled(attributes, name)?.split('##')

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
  }
}

const keycloakMetadata = (client: JsonRecord, attributes: JsonRecord): JsonRecord => {
  const rootUrl = filled(client, 'rootUrl')
  // A relative URI begins at the root URL.
  const absolute = (uri: unknown): unknown =>
    typeof uri === 'string' && uri.startsWith('/') && rootUrl !== undefined ? rootUrl.replace(/\/$/, '') + uri : uri
  const redirect_uris = listOf(ownMember(client, 'redirectUris')).map(absolute)
  const grant_types = grantsOf(client, attributes)
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
    post_logout_redirect_uris: split(attributes, 'post.logout.redirect.uris')
      ?.filter((uri) => uri !== '-')
      .flatMap((uri) => (uri === '+' ? redirect_uris : [absolute(uri)])),
    request_uris: split(attributes, 'request.uris'),
    default_acr_values: split(attributes, 'default.acr.values'),
    scope: [...new Set(['openid', ...scopes.map(String)])].join(' '),
    ...fromAttributes(attributes),
  }
}

// An authenticator of a plugin is named as it is, and refused as an unknown method.
const methodOf = (client: JsonRecord): unknown => {
  const authenticator = textOf(client, 'clientAuthenticatorType') ?? 'client-secret'
  return isOn(client, 'publicClient') ? 'none' : (ownMember(methods, authenticator) ?? authenticator)
}

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
      token_endpoint_auth_signing_alg: textOf(attributes, 'token.endpoint.auth.signing.alg'),
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

const readKeycloakClient = clientsBy('clientId', (client, client_id) => {
  if (builtIn.test(client_id)) return 'built-in'
  if ((textOf(client, 'protocol') ?? 'openid-connect') !== 'openid-connect') return 'other-protocol'
  if (isOn(client, 'bearerOnly')) return 'bearer-only'
  if (ownMember(client, 'enabled') === false) return 'disabled'
  const attributes = objectOf(ownMember(client, 'attributes'))
  const { credentials, metadata, notes = [] } = keycloakAuthentication(client, attributes)
  const dropped = keycloakUnknown.filter((name) => {
    const value = ownMember(client, name)
    return value === true || (typeof value === 'object' && !isEmpty(value))
  })
  return {
    credentials,
    metadata: { ...keycloakMetadata(client, attributes), ...metadata },
    notes: [...notes, ...dropped.map(droppedNote)],
  }
})

export type ClientFormat = {
  readonly read: ReadClientRecord
  /** The member of an enclosing object that has the list of clients. */
  readonly list?: string
  /** Whether a file is an array or has one record in each line, and is no other document. */
  readonly linesOnly: boolean
  /** Whether records may say when the client was used last. */
  readonly saysLastUse: boolean
}

export const clientFormats = {
  clientele: { read: readExportedClient, linesOnly: true, saysLastUse: true },
  'node-oidc-provider': { read: readOidcProviderClient, linesOnly: true, saysLastUse: false },
  keycloak: { read: readKeycloakClient, list: 'clients', linesOnly: false, saysLastUse: false },
  hydra: { read: readHydraClient, list: 'items', linesOnly: false, saysLastUse: false },
  connect2id: { read: readRegistered, linesOnly: false, saysLastUse: false },
  'better-auth': { read: readBetterAuthClient, linesOnly: false, saysLastUse: false },
} as const satisfies Readonly<Record<string, ClientFormat>>

export type ClientFormatName = keyof typeof clientFormats
