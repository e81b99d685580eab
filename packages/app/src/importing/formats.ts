// The formats of other servers, by their names.
import { type ImportFinding, type ReadClientRecord, importNote, readExportedClient } from '@clientele/domain/importing'
import { isPlainObject, ownMember } from '@clientele/domain/kernel'
import { readKeycloakClient } from './keycloak.js'
import {
  type JsonRecord,
  clientRecord,
  draftOf,
  leftOut,
  noClient,
  objectOf,
  present,
  secondsOf,
  textOf,
  textsOf,
} from './records.js'

// Ory Hydra: the client of its administrative API, as hydra list clients and hydra get client print it, or the row of
// its table. It never shows a secret after the registration, and stores a hash of it.

// bcrypt and PBKDF2, by the setting oauth2.hashers.algorithm
const hash = /^\$(?:2[aby]|pbkdf2-sha\d+|argon2\w*)\$/

const isEmpty = (value: unknown): boolean =>
  value === '' ||
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlainObject(value) && Object.keys(value).length === 0)

// Hydra writes a member without a value as an empty one, and none for a response that is not signed.
const isTelling = ([name, value]: readonly [string, unknown]): boolean =>
  !isEmpty(value) && !(name === 'userinfo_signed_response_alg' && value === 'none')

const own = ['created_at', 'updated_at', 'metadata', 'skip_consent', 'skip_logout_consent', 'owner']
const isLifespan = (name: string): boolean => name.endsWith('_lifespan')
const isFalse = (value: unknown): boolean => value === false

const hydraMetadata = (metadata: JsonRecord, record: JsonRecord): JsonRecord => {
  const data = objectOf(ownMember(record, 'metadata'))
  const sent = Object.entries(metadata).filter((entry) => isTelling(entry) && !own.includes(entry[0]))
  const named = sent.filter(([name, value]) => !isLifespan(name) && !(name.startsWith('skip_') && isFalse(value)))
  return Object.fromEntries([...named, ...(isEmpty(data) ? [] : [['data', data] as const])])
}

const isHashed = (secret: unknown): boolean => typeof secret === 'string' && hash.test(secret)

// The time of the registration has another name and form, and a secret may be hashed or empty.
const credentialsOf = (record: JsonRecord): JsonRecord => {
  const secret = ownMember(record, 'client_secret')
  const isUsable = !isEmpty(secret) && !isHashed(secret)
  return present({
    client_secret: isUsable ? secret : undefined,
    client_secret_expires_at: isUsable ? ownMember(record, 'client_secret_expires_at') : undefined,
    client_id_issued_at: ownMember(record, 'client_id_issued_at') ?? secondsOf(ownMember(record, 'created_at')),
    registration_access_token: ownMember(record, 'registration_access_token'),
  })
}

const readHydraClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record) || textOf(record, 'client_id') === undefined) return noClient()
  const { client_id, metadata } = draftOf(record)
  return clientRecord(
    { client_id, ...credentialsOf(record), metadata: hydraMetadata(metadata, record) },
    isHashed(ownMember(record, 'client_secret')) ? [importNote('secret-hashed')('client_secret')] : [],
  )
}

// node-oidc-provider: what its adapter stores for the model Client, bare or within the record of the adapter.

// Adapters keep the payload in a column or member of this name, as JSON or as its text.
const payloadOf = (record: JsonRecord): JsonRecord => {
  const payload = ownMember(record, 'payload')
  return payload === undefined ? record : objectOf(payload)
}

const modelNames = ['model', 'type', 'kind', 'name']

// The payload of a client has no kind; that of every other model has one.
const isOfOtherModel = (record: JsonRecord, payload: JsonRecord): boolean =>
  textOf(payload, 'kind') !== undefined ||
  (record !== payload &&
    modelNames.some((name) => {
      const model = textOf(record, name)
      return model !== undefined && model.toLowerCase() !== 'client'
    }))

// The value of a registration access token is its id, and its payload names the client: it may stand beside the payload.
const withToken = (record: JsonRecord, payload: JsonRecord): JsonRecord => {
  const token = ownMember(record, 'registration_access_token')
  return record === payload || token === undefined ? payload : { ...payload, registration_access_token: token }
}

const readOidcProviderClient: ReadClientRecord = (record) => {
  if (!isPlainObject(record)) return noClient()
  const payload = payloadOf(record)
  const client_id = textOf(payload, 'client_id')
  if (isOfOtherModel(record, payload)) return leftOut(client_id, 'not-a-client')
  return client_id === undefined ? noClient() : clientRecord(draftOf(withToken(record, payload)))
}

// Better Auth: a row of the table oauthApplication (plugin oidc-provider) or oauthClient (plugin oauth-provider).

// A SHA-256 digest in base64url, and an encrypted text in hexadecimal; generated secrets have 32 letters.
const sealed = /^(?:[\w-]{43}|(?:[0-9a-f]{2}){48,})$/

const listIn = (row: JsonRecord, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> | undefined =>
  names.map((name) => textsOf(ownMember(row, name), /[,\s]+/)).find((list) => list !== undefined)

const isPublic = (row: JsonRecord): boolean => ownMember(row, 'public') === true || textOf(row, 'type') === 'public'

const authMethodOf = (row: JsonRecord): unknown =>
  ownMember(row, 'tokenEndpointAuthMethod') ?? (isPublic(row) ? 'none' : 'client_secret_basic')

// The grants that the plugin serves to every client whose row names none
const servedGrants = ['authorization_code', 'refresh_token']

const namesOf = (row: JsonRecord): JsonRecord => ({
  client_name: ownMember(row, 'name'),
  client_uri: ownMember(row, 'uri'),
  logo_uri: ownMember(row, 'icon'),
  contacts: listIn(row, 'contacts'),
  tos_uri: ownMember(row, 'tos'),
  policy_uri: ownMember(row, 'policy'),
  software_id: ownMember(row, 'softwareId'),
  software_version: ownMember(row, 'softwareVersion'),
  software_statement: ownMember(row, 'softwareStatement'),
})

const betterAuthMetadata = (row: JsonRecord): JsonRecord =>
  present({
    redirect_uris: listIn(row, 'redirectUris', 'redirectUrls', 'redirectURLs'),
    post_logout_redirect_uris: listIn(row, 'postLogoutRedirectUris'),
    token_endpoint_auth_method: authMethodOf(row),
    application_type: textOf(row, 'type') === 'native' ? 'native' : 'web',
    grant_types: listIn(row, 'grantTypes') ?? servedGrants,
    response_types: listIn(row, 'responseTypes'),
    scope: listIn(row, 'scopes')?.join(' '),
    ...namesOf(row),
  })

// Members that change what the client may do, and that this service has no place for
const unknownToUs = ['userId', 'referenceId', 'requirePKCE', 'skipConsent', 'enableEndSession', 'metadata']

const droppedColumns = (row: JsonRecord): ReadonlyArray<ImportFinding> =>
  Object.keys(present(row))
    .filter((name) => unknownToUs.includes(name))
    .map((name) => importNote('member-dropped')(name))

const isDisabled = (row: JsonRecord): boolean => [true, 1].some((value) => ownMember(row, 'disabled') === value)

const readRow = (row: JsonRecord, client_id: string): ReturnType<ReadClientRecord> => {
  const secret = ownMember(row, 'clientSecret')
  const isSealed = typeof secret === 'string' && sealed.test(secret)
  const credentials = present({
    client_secret: isSealed || secret === '' ? undefined : secret,
    client_id_issued_at: secondsOf(ownMember(row, 'createdAt')),
  })
  return clientRecord({ client_id, ...credentials, metadata: betterAuthMetadata(row) }, [
    ...(isSealed ? [importNote('secret-hashed')('client_secret')] : []),
    ...droppedColumns(row),
  ])
}

const readBetterAuthClient: ReadClientRecord = (row) => {
  const client_id = isPlainObject(row) ? textOf(row, 'clientId') : undefined
  if (!isPlainObject(row) || client_id === undefined) return noClient()
  return isDisabled(row) ? leftOut(client_id, 'disabled') : readRow(row, client_id)
}

// Connect2id server: the client information of GET /clients, with client_secret and registration_access_token.

const readConnect2idClient: ReadClientRecord = (record) =>
  isPlainObject(record) && textOf(record, 'client_id') !== undefined ? clientRecord(draftOf(record)) : noClient()

// The formats that clients are imported from.

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
  connect2id: { read: readConnect2idClient, linesOnly: false, saysLastUse: false },
  'better-auth': { read: readBetterAuthClient, linesOnly: false, saysLastUse: false },
} as const satisfies Readonly<Record<string, ClientFormat>>

export type ClientFormatName = keyof typeof clientFormats
