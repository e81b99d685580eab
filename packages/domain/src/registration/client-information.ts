import { jsonInOrder } from '../codec/json-object.js'
import { type Adjustment, adjustmentsOf } from './adjustments.js'
import type { MetadataWarning } from './metadata-warnings.js'
import {
  type DroppedWarning,
  addedMembers,
  droppedMembers,
  droppedWarnings,
  presetMembers,
  repeatedMembers,
  reportedNames,
} from '../client/dropped-members.js'
import { isDocumented } from '../client/client-id.js'
import type { ClientMetadata } from '../client/client-metadata.js'
import type { RegisteredClient } from './registered-client.js'

/**
 * RFC 7591 §3.2.1 and RFC 7592 §3: the client information response. Members without a value are left out, never null.
 */
export interface ClientInformation extends ClientDescription {
  readonly registration_access_token: string
}

/** A client, with its credentials where the requester may see them. */
export interface ClientDescription extends ClientMetadata {
  readonly client_id: string
  readonly client_id_issued_at: number
  readonly client_secret?: string
  readonly registration_access_token?: string
  readonly client_secret_expires_at?: number
  readonly registration_client_uri: string
}

/**
 * The answer to a dry run: the client without credentials, which only a registration issues. `added` contains the
 * defaults and the claims of the software statement; `adjustments` the reasons for others. `dropped` names unknown members: 50 at most, each cut to 80
 * characters. `warnings` say the same in words, and what of the metadata the service does not use.
 */
export interface ClientPreview extends ClientMetadata {
  readonly added: Readonly<Record<string, unknown>>
  readonly adjustments: ReadonlyArray<Adjustment>
  readonly dropped: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<MetadataWarning | DroppedWarning>
  readonly client_id?: string
  readonly client_id_issued_at?: number
  readonly registration_client_uri?: string
}

/** RFC 7592 §3: the identifier is appended to the client registration endpoint. */
export const registrationClientUri = (registrationEndpoint: string, clientId: string): string =>
  `${registrationEndpoint}/${encodeURIComponent(clientId)}`

export const clientInformation =
  (registrationEndpoint: string) =>
  (client: RegisteredClient): ClientInformation => ({
    client_id: client.client_id,
    client_id_issued_at: client.client_id_issued_at,
    ...client.secret,
    registration_access_token: client.registration_access_token.token,
    registration_client_uri: registrationClientUri(registrationEndpoint, client.client_id),
    ...client.metadata,
  })

/** For operators who may not see credentials. */
export const clientDescription =
  (registrationEndpoint: string) =>
  ({ client_id, client_id_issued_at, secret, metadata }: RegisteredClient): ClientDescription => ({
    client_id,
    client_id_issued_at,
    ...(secret === undefined ? {} : { client_secret_expires_at: secret.client_secret_expires_at }),
    registration_client_uri: registrationClientUri(registrationEndpoint, client_id),
    ...metadata,
  })

/** With credentials, except those that no party has: a document changes its client, and no registration access token does. */
export const clientWithCredentials =
  (registrationEndpoint: string) =>
  (client: RegisteredClient): ClientDescription =>
    (isDocumented(client) ? clientDescription : clientInformation)(registrationEndpoint)(client)

const toldOfDropped = (
  names: ReadonlyArray<string>,
  warnings: ReadonlyArray<MetadataWarning>,
): Pick<ClientPreview, 'dropped' | 'warnings'> => ({
  dropped: reportedNames(names),
  warnings: [...droppedWarnings(names), ...warnings],
})

export const previewOfRegistration =
  (sent: unknown, warnings: ReadonlyArray<MetadataWarning>) =>
  ({ metadata }: RegisteredClient): ClientPreview => ({
    ...metadata,
    added: addedMembers(sent, metadata),
    adjustments: adjustmentsOf(sent, metadata),
    ...toldOfDropped(droppedMembers(sent, presetMembers), warnings),
  })

/** A member that an update changes; the values of a credential are left out. */
export type MemberChange = {
  readonly member: string
  readonly change: 'added' | 'removed' | 'replaced'
  readonly before?: unknown
  readonly after?: unknown
}

const changeOf = (member: string, before: unknown, after: unknown): MemberChange => {
  if (before === undefined) return { member, change: 'added', after }
  return after === undefined ? { member, change: 'removed', before } : { member, change: 'replaced', before, after }
}

const secretChange = (before: RegisteredClient, after: RegisteredClient): ReadonlyArray<MemberChange> => {
  if (before.secret?.client_secret === after.secret?.client_secret) return []
  const { member, change } = changeOf('client_secret', before.secret, after.secret)
  return [{ member, change }]
}

const valuesOf = ({ metadata }: RegisteredClient): ReadonlyMap<string, unknown> => new Map(Object.entries(metadata))

/** What differs between two versions of a client, member by member. */
export const changesBetween = (before: RegisteredClient, after: RegisteredClient): ReadonlyArray<MemberChange> => {
  const one = valuesOf(before)
  const other = valuesOf(after)
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => jsonInOrder(one.get(name)) !== jsonInOrder(other.get(name)))
    .map((name) => changeOf(name, one.get(name), other.get(name)))
    .concat(secretChange(before, after))
}

export const previewOfUpdate =
  (registrationEndpoint: string, sent: unknown, warnings: ReadonlyArray<MetadataWarning>) =>
  (client: RegisteredClient): ClientPreview => ({
    added: addedMembers(sent, client.metadata),
    adjustments: adjustmentsOf(sent, client.metadata),
    ...toldOfDropped(droppedMembers(sent, repeatedMembers), warnings),
    client_id: client.client_id,
    client_id_issued_at: client.client_id_issued_at,
    registration_client_uri: registrationClientUri(registrationEndpoint, client.client_id),
    ...client.metadata,
  })
