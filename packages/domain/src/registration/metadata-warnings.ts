// Warnings for the operator about valid metadata: it names a URI that this service does not request, by its settings, or what
// its authorization server does not do.
import type { ClientMetadata } from '../client/client-metadata.js'
import type { Warning } from '../client/dropped-members.js'
import { isIpAddress } from '../codec/ip-address.js'
import { uriParts } from '../client/uri.js'
import type { RegistrationSettings } from './registration-settings.js'

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
} as const

export type WarningId = keyof typeof texts

export type MetadataWarning = Warning<WarningId>

type FetchedMember = 'backchannel_logout_uri' | 'sector_identifier_uri' | 'jwks_uri'

type ServedMember =
  'grant_types' | 'response_types' | 'token_endpoint_auth_method' | 'tls_client_certificate_bound_access_tokens'

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
  const hasNone = response_types.length > 0 && !response_types.some((each) => served.response_types.includes(each))
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

export const warningsOf =
  (settings: Settings) =>
  (
    metadata: Pick<ClientMetadata, FetchedMember> & Partial<Pick<ClientMetadata, ServedMember>>,
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
    ]
  }
