// Keycloak: a client of a realm export (ClientRepresentation).
import { isPlainObject, ownMember } from '../../codec/json-object.js'
import type { ReadClientRecord } from '../client-draft.js'
import { type ImportFinding, type LeftOutId, importNote } from '../import-texts.js'
import { keycloakAuthentication } from './keycloak-authentication.js'
import { keycloakMetadata } from './keycloak-metadata.js'
import { type JsonRecord, clientRecord, leftOut, noClient, objectOf, present, textOf } from './record-parts.js'

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
