import { fault } from '../../codec/fault.js'
import { isLoopback, isWebScheme, uriParts } from '../uri.js'
import type { MetadataRule } from './rule.js'

// Neither a private-use scheme nor loopback has a host with an owner: two applications may both register SCHEME://callback
// or http://127.0.0.1/callback, and would get the same sub.
// RFC 1122 §3.2.1.3, RFC 6761 §6.3: all of these names and addresses are of the device itself.
const hasOwner = (host: string): boolean =>
  !isLoopback(host) && !host.startsWith('127.') && !host.endsWith('.localhost')

const hostOf = (uri: string): string => {
  const { scheme, host } = uriParts(uri)
  return isWebScheme(scheme) && hasOwner(host) ? host : ''
}

const isOneHost = (uris: ReadonlyArray<string>): boolean => {
  const hosts = new Set(uris.map(hostOf))
  return hosts.size === 1 && !hosts.has('')
}

// OpenID Core §8.1: the sector is the host of the redirection URIs, or of the sector_identifier_uri
export const pairwiseSector: MetadataRule = {
  members: ['subject_type', 'redirect_uris', 'sector_identifier_uri'],
  faultsOf: ({ subject_type, redirect_uris = [], sector_identifier_uri }) =>
    subject_type === 'pairwise' && sector_identifier_uri === undefined && !isOneHost(redirect_uris)
      ? [fault('pairwise-sector')('subject_type')]
      : [],
}

// OpenID Registration §5: the document must be checked; without outbound fetches the member is refused
export const sectorIdentifier: MetadataRule = {
  members: ['sector_identifier_uri'],
  faultsOf: ({ sector_identifier_uri }, context) =>
    sector_identifier_uri !== undefined && !context.fetchesSectorIdentifiers
      ? [fault('sector-identifier-off')('sector_identifier_uri')]
      : [],
}
