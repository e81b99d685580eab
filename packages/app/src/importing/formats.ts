// The formats that clients are imported from: how a record of another server becomes the draft of a client.
import { type ReadClientRecord, importNote, readExportedClient } from '@clientele/domain/importing'
import { isPlainObject, ownMember } from '@clientele/domain/kernel'
import { readKeycloakClient } from './keycloak.js'
import {
  type JsonRecord,
  type Said,
  clientsBy,
  droppedNote,
  isEmpty,
  isList,
  jsonOf,
  objectOf,
  present,
  renamed,
  secondsOf,
  textOf,
} from './record-parts.js'

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

/** The texts of a list, of a list as JSON, or of a text with separators; of the first column that is not empty. */
const listIn = (row: JsonRecord, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined =>
  names
    .map((name) => {
      const value = ownMember(row, name)
      const list = jsonOf(value)
      if (isList(list)) return list
      return typeof value === 'string' ? value.split(/[,\s]+/).filter((text) => text !== '') : undefined
    })
    .find((list) => list !== undefined && list.length > 0)

// In oauthApplication, the plugin mcp writes public or web for whether a client has no secret.
const betterAuthType = (row: JsonRecord): string | undefined => {
  const type = textOf(row, 'type')
  return type === 'native' || (type === 'web' && Object.hasOwn(row, 'redirectUris')) ? type : undefined
}

const readBetterAuthClient = clientsBy('clientId', (row) => {
  // SQLite has no boolean.
  const isSet = (name: string): boolean => [true, 1].some((value) => ownMember(row, name) === value)
  if (isSet('disabled')) return 'disabled'
  const isPublic = isSet('public') || textOf(row, 'type') === 'public'
  const method = ownMember(row, 'tokenEndpointAuthMethod') ?? ''
  const secret = ownMember(row, 'clientSecret')
  const isSealed = typeof secret === 'string' && sealed.test(secret)
  const metadata = {
    redirect_uris: listIn(row, 'redirectUris', 'redirectUrls', 'redirectURLs'),
    post_logout_redirect_uris: listIn(row, 'postLogoutRedirectUris'),
    token_endpoint_auth_method: method === '' ? (isPublic ? 'none' : 'client_secret_basic') : method,
    application_type: betterAuthType(row),
    // The plugin serves these to every client whose row names none.
    grant_types: listIn(row, 'grantTypes') ?? ['authorization_code', 'refresh_token'],
    response_types: listIn(row, 'responseTypes'),
    scope: listIn(row, 'scopes')?.join(' '),
    contacts: listIn(row, 'contacts'),
    ...renamed(row, betterAuthNames),
  }
  return {
    credentials: {
      client_secret: isSealed || secret === '' ? undefined : secret,
      client_id_issued_at: secondsOf(ownMember(row, 'createdAt')),
    },
    // An empty column has no value.
    metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value))),
    notes: [
      ...(isSealed ? [importNote('secret-hashed')('client_secret')] : []),
      ...Object.keys(present(row))
        .filter((name) => betterAuthUnknown.includes(name))
        .map(droppedNote),
    ],
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
