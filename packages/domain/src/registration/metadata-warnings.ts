// Warnings for the operator about valid metadata: it names a URI that this service does not request, by its settings.
import type { ClientMetadata } from '../client/client-metadata.js'
import type { Warning } from '../client/dropped-members.js'
import { isIpAddress } from '../client/ip-address.js'
import { uriParts } from '../client/uri.js'
import type { RegistrationSettings } from './registration-settings.js'

const texts = {
  'logout-not-sent':
    'is sent no logout token while the setting outbound-fetches is off: ask the operator to turn it on, or leave it out',
  'keys-not-read':
    'is not read while the setting outbound-fetches is off, so that nothing is verified by these keys or encrypted to them: ask the operator to turn it on, or send the keys as jwks',
  'host-not-reached':
    'names a host in a network that is not public, to which this service does not connect: ask the operator to add the network to outbound-allowed-networks, or name a public host',
} as const

export type WarningId = keyof typeof texts

export type MetadataWarning = Warning<WarningId>

type FetchedMember = 'backchannel_logout_uri' | 'sector_identifier_uri' | 'jwks_uri'

const warning = (member: FetchedMember, id: WarningId): MetadataWarning => ({
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

type Settings = Pick<RegistrationSettings, 'outboundFetches' | 'readsKeySets' | 'allowsAddress'>

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

export const warningsOf =
  (settings: Settings) =>
  ({
    backchannel_logout_uri,
    sector_identifier_uri,
    jwks_uri,
  }: Pick<ClientMetadata, FetchedMember>): ReadonlyArray<MetadataWarning> => [
    ...(settings.outboundFetches || backchannel_logout_uri === undefined
      ? []
      : [warning('backchannel_logout_uri', 'logout-not-sent')]),
    ...warningsOfHost(settings, 'backchannel_logout_uri', backchannel_logout_uri),
    ...warningsOfHost(settings, 'sector_identifier_uri', sector_identifier_uri),
    ...warningsOfKeys(settings, jwks_uri),
  ]
