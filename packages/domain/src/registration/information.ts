// The answer to a registration.
import { isDocumented } from '../client/ids.js'
import type { ClientMetadata } from '../client/metadata.js'
import {
  type DroppedWarning,
  type Warning,
  addedMembers,
  droppedMembers,
  droppedWarnings,
  presetMembers,
  echoedMembers,
  reportedNames,
} from '../client/schema.js'
import { uriParts } from '../client/uris.js'
import { differingMembers, ownMember } from '../kernel/json-object.js'
import { isIpAddress } from '../kernel/values.js'
import { type Unapproved, withdrawnTexts } from '../life-cycle/states.js'
import { inOrder } from '../policy/policy.js'
import { type Adjustment, adjustmentsOf } from './adjustments.js'
import type { RegistrationSettings } from './decide.js'
import type { RegisteredClient } from './registered-client.js'

// Warnings for the operator about valid metadata: it names a URI that this service does not request, by its settings, or what
// its authorization server, or any, does not do.

const texts = {
  'logout-not-sent':
    'is sent no logout token while the setting outbound-fetches is off: ask the operator to turn it on, or leave it out',
  'keys-not-read':
    'is not read while the setting outbound-fetches is off, so that nothing is verified by these keys or encrypted to them: ask the operator to turn it on, or send the keys as jwks',
  'host-not-reached':
    'names a host in a network that is not public, to which this service does not connect: ask the operator to add the network to outbound-allowed-networks, or name a public host',
  'grant-not-served':
    'names a grant that the authorization server does not do, and answers with unsupported_grant_type: choose among grant_types_supported of the metadata',
  'response-type-not-served':
    'names none that the authorization server does, so that it answers no authorization request of the client: choose among response_types_supported of the metadata',
  'method-not-served':
    'is one that the authorization server does not do, so that it refuses the client at every endpoint: choose among token_endpoint_auth_methods_supported of the metadata',
  'binding-not-served':
    'asks for tokens that are bound to a certificate, which the authorization server does not issue, so that the client gets none: leave it out, or use dpop_bound_access_tokens',
  'token-not-bound':
    'names a type with an access token in the authorization response, which no proof can bind, while dpop_bound_access_tokens is true, so that the client gets none by it: leave that type out',
} as const

type WarningId = keyof typeof texts

export type MetadataWarning = Warning<WarningId>

type FetchedMember = 'backchannel_logout_uri' | 'sector_identifier_uri' | 'jwks_uri'

type ServedMember =
  'grant_types' | 'response_types' | 'token_endpoint_auth_method' | 'tls_client_certificate_bound_access_tokens'

type BoundMember = 'response_types' | 'dpop_bound_access_tokens'

const warning = (member: FetchedMember | ServedMember, id: WarningId): MetadataWarning => ({
  pointer: `/${member}`,
  rule: id,
  description: `${member} ${texts[id]}`,
})

// RFC 6761 §6.3: localhost, and every name below it, is loopback. The addresses of other names are unknown here.
const knownAddress = (uri: string): string | undefined => {
  const host = uriParts(uri).host.replace(/^\[|\]$/g, '')
  if (/(?:^|\.)localhost$/.test(host)) return '127.0.0.1'
  return isIpAddress(host) ? host : undefined
}

type Settings = Pick<RegistrationSettings, 'outboundFetches' | 'readsKeySets' | 'allowsAddress' | 'abilities'>

const warningsOfHost = (
  { allowsAddress }: Settings,
  member: FetchedMember,
  uri: string | undefined,
): ReadonlyArray<MetadataWarning> => {
  const address = uri === undefined ? undefined : knownAddress(uri)
  return address === undefined || allowsAddress === undefined || allowsAddress(address)
    ? []
    : [warning(member, 'host-not-reached')]
}

const warningsOfKeys = (settings: Settings, uri: string | undefined): ReadonlyArray<MetadataWarning> => {
  if (settings.readsKeySets !== true || uri === undefined) return []
  const notRead = settings.outboundFetches ? [] : [warning('jwks_uri', 'keys-not-read')]
  return [...notRead, ...warningsOfHost(settings, 'jwks_uri', uri)]
}

// Specification §5.1, RFC 8705: registration takes what an authorization server beside it may do; the one here tells the rest.
const warningsOfServer = (
  { abilities }: Settings,
  {
    grant_types = [],
    response_types = [],
    token_endpoint_auth_method: method,
    tls_client_certificate_bound_access_tokens: isBound,
  }: Partial<Pick<ClientMetadata, ServedMember>>,
): ReadonlyArray<MetadataWarning> => {
  const served = abilities?.served
  if (served === undefined) return []
  const answered = served.response_types.map(inOrder)
  const hasNone = response_types.length > 0 && !response_types.some((each) => answered.includes(inOrder(each)))
  return [
    ...(grant_types.every((each) => served.grant_types.includes(each))
      ? []
      : [warning('grant_types', 'grant-not-served')]),
    ...(hasNone ? [warning('response_types', 'response-type-not-served')] : []),
    ...(method === undefined || served.token_endpoint_auth_method.includes(method)
      ? []
      : [warning('token_endpoint_auth_method', 'method-not-served')]),
    ...(isBound === true ? [warning('tls_client_certificate_bound_access_tokens', 'binding-not-served')] : []),
  ]
}

// RFC 9449 §5: a proof comes with a request of a token, and none with an authorization request.
const warningsOfBinding = ({
  dpop_bound_access_tokens: isBound,
  response_types = [],
}: Partial<Pick<ClientMetadata, BoundMember>>): ReadonlyArray<MetadataWarning> =>
  isBound === true && response_types.some((each) => each.split(' ').includes('token'))
    ? [warning('response_types', 'token-not-bound')]
    : []

export const warningsOf =
  (settings: Settings) =>
  (
    metadata: Pick<ClientMetadata, FetchedMember> & Partial<Pick<ClientMetadata, ServedMember | BoundMember>>,
  ): ReadonlyArray<MetadataWarning> => {
    const { backchannel_logout_uri, sector_identifier_uri, jwks_uri } = metadata
    return [
      ...(settings.outboundFetches || backchannel_logout_uri === undefined
        ? []
        : [warning('backchannel_logout_uri', 'logout-not-sent')]),
      ...warningsOfHost(settings, 'backchannel_logout_uri', backchannel_logout_uri),
      ...warningsOfHost(settings, 'sector_identifier_uri', sector_identifier_uri),
      ...warningsOfKeys(settings, jwks_uri),
      ...warningsOfServer(settings, metadata),
      ...warningsOfBinding(metadata),
    ]
  }

/** Whether the authorization server here refuses the client at every endpoint, so that its registration is of no use. */
export const isOfNoUse = ({ rule }: { readonly rule: string }): boolean =>
  rule === 'method-not-served' || rule === 'binding-not-served'

/**
 * RFC 7591 §3.2.1 and RFC 7592 §3: the client information response. Members without a value are left out, never null.
 */
export interface ClientInformation extends ClientDescription {
  readonly registration_access_token: string
}

/** A member of our own, which only a client without an approval has: why nothing is answered yet, and the remedy. */
export type ApprovalNotice = { readonly approval?: Unapproved & { readonly description: string } }

export const approvalNotice = ({ approval }: Pick<RegisteredClient, 'approval'>): ApprovalNotice =>
  approval === undefined ? {} : { approval: { ...approval, description: withdrawnTexts[approval.state] } }

/** A client, with its credentials where the requester may see them. */
export interface ClientDescription extends ClientMetadata, ApprovalNotice {
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
export interface ClientPreview extends ClientMetadata, ApprovalNotice {
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
    ...approvalNotice(client),
    ...client.metadata,
  })

/** For operators who may not see credentials. */
export const clientDescription =
  (registrationEndpoint: string) =>
  ({ client_id, client_id_issued_at, secret, metadata, ...client }: RegisteredClient): ClientDescription => ({
    client_id,
    client_id_issued_at,
    ...(secret === undefined ? {} : { client_secret_expires_at: secret.client_secret_expires_at }),
    registration_client_uri: registrationClientUri(registrationEndpoint, client_id),
    ...approvalNotice(client),
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
  (sent: unknown, tidied: ReadonlyArray<Adjustment>, warnings: ReadonlyArray<MetadataWarning>) =>
  ({ metadata, ...client }: RegisteredClient): ClientPreview => ({
    ...approvalNotice(client),
    ...metadata,
    added: addedMembers(sent, metadata),
    adjustments: [...tidied, ...adjustmentsOf(sent, metadata)],
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

/** What differs between two versions of a client, member by member. */
export const changesBetween = (before: RegisteredClient, after: RegisteredClient): ReadonlyArray<MemberChange> => {
  const one = { ...before.metadata }
  const other = { ...after.metadata }
  return differingMembers(one, other)
    .map((name) => changeOf(name, ownMember(one, name), ownMember(other, name)))
    .concat(secretChange(before, after))
}

export const previewOfUpdate =
  (registrationEndpoint: string, sent: unknown, warnings: ReadonlyArray<MetadataWarning>) =>
  (client: RegisteredClient): ClientPreview => ({
    added: addedMembers(sent, client.metadata),
    adjustments: adjustmentsOf(sent, client.metadata),
    ...toldOfDropped(droppedMembers(sent, echoedMembers), warnings),
    client_id: client.client_id,
    client_id_issued_at: client.client_id_issued_at,
    registration_client_uri: registrationClientUri(registrationEndpoint, client.client_id),
    ...approvalNotice(client),
    ...client.metadata,
  })
