// Better Auth: a row of the table oauthApplication (plugin oidc-provider) or oauthClient (plugin oauth-provider).
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { type ImportFinding, importNote } from '../import-texts.js'
import { type JsonRecord, clientRecord, leftOut, noClient, present, textOf, textsOf } from './record-parts.js'
import { secondsOf } from './time-of.js'

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

const metadataOf = (row: JsonRecord): JsonRecord =>
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
const unknownHere = ['userId', 'referenceId', 'requirePKCE', 'skipConsent', 'enableEndSession', 'metadata']

const droppedOf = (row: JsonRecord): ReadonlyArray<ImportFinding> =>
  Object.keys(present(row))
    .filter((name) => unknownHere.includes(name))
    .map((name) => importNote('member-dropped')(name))

const isDisabled = (row: JsonRecord): boolean => [true, 1].some((value) => ownMember(row, 'disabled') === value)

const readRow = (row: JsonRecord, client_id: string): ReturnType<ReadClientRecord> => {
  const secret = ownMember(row, 'clientSecret')
  const isSealed = typeof secret === 'string' && sealed.test(secret)
  const credentials = present({
    client_secret: isSealed || secret === '' ? undefined : secret,
    client_id_issued_at: secondsOf(ownMember(row, 'createdAt')),
  })
  return clientRecord({ client_id, ...credentials, metadata: metadataOf(row) }, [
    ...(isSealed ? [importNote('secret-hashed')('client_secret')] : []),
    ...droppedOf(row),
  ])
}

export const readBetterAuthClient: ReadClientRecord = (row) => {
  const client_id = isPlainObject(row) ? textOf(row, 'clientId') : undefined
  if (!isPlainObject(row) || client_id === undefined) return noClient()
  return isDisabled(row) ? leftOut(client_id, 'disabled') : readRow(row, client_id)
}
