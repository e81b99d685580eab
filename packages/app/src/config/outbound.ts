// The outgoing requests of the service.
import {
  type ClientDocumentsOptions,
  type GuardedFetch,
  type OutboundOptions,
  allowingNetworks,
  createClientDocuments,
  createClientLogos,
  createKeySets,
  createLogoutSender,
  createRegistrantFetch,
  createSectorIdentifiers,
} from '@clientele/adapters-outbound'
import {
  type ClientDocuments,
  type ClientLogos,
  type LogoutSender,
  type SectorIdentifiers,
  type SignedBodies,
  sectorIdentifierUnavailable,
} from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { traceOutbound } from '../observing/log.js'
import { type Values, addressRange, commas, flag, list, several } from './values.js'

export const outboundSection = {
  'outbound-fetches': flag(
    'Whether the service may send requests to URLs that clients name: to check sector_identifier_uri, to read the metadata document of a client, its keys at jwks_uri, its requests at request_uris and its picture at logo_uri, and to send logout tokens. It sends requests for login upstream in any case. It asks DNS servers for addresses, and does not read the hosts file',
    false,
  ),
  'outbound-allowed-networks': several(
    'Networks to which the service may send these requests although they are not public, such as those of private applications',
    'CIDRs or addresses separated by commas',
    list(commas, addressRange),
  ),
} as const

type Given = Partial<OutboundOptions>

export type OutboundSettings = Values<typeof outboundSection>

/** Whether a connection to the address is allowed. */
export const allowsAddress = (config: OutboundSettings): ((address: string) => boolean) =>
  allowingNetworks(config['outbound-allowed-networks'])

const optionsOf = (config: OutboundSettings, given: Given): Given => ({
  allowsAddress: allowsAddress(config),
  traced: traceOutbound,
  ...given,
})

// Registration refuses the member while outbound fetches are off, so that this port is not called.
const noSectorIdentifiers: SectorIdentifiers = {
  fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('outbound-fetches is off')),
}

export const sectorIdentifiers = (config: OutboundSettings, given: Given = {}): SectorIdentifiers =>
  config['outbound-fetches'] ? createSectorIdentifiers(optionsOf(config, given)) : noSectorIdentifiers

/** Undefined while outbound fetches are off. Receivers on this machine have http where the base URL is on loopback. */
export const logoutSender = (
  config: OutboundSettings,
  isOnLoopback: boolean,
  given: Given = {},
): LogoutSender | undefined =>
  config['outbound-fetches']
    ? createLogoutSender({ httpOnLoopback: isOnLoopback, ...optionsOf(config, given) })
    : undefined

/** For the keys of signed registration requests (docs/decisions/software-statements.md); nothing while outbound fetches are off. */
export const signersKeySets = (config: OutboundSettings, given: Given = {}): Pick<SignedBodies, 'fetchKeySet'> =>
  config['outbound-fetches'] ? createKeySets(optionsOf(config, given)) : {}

/** For the key sets of clients (RFC 7591 §2); undefined while outbound fetches are off. */
export const keySetFetch = (config: OutboundSettings, given: Given = {}): GuardedFetch | undefined =>
  config['outbound-fetches'] ? createRegistrantFetch(optionsOf(config, given)) : undefined

// The settings refuse a policy that accepts documents while outbound fetches are off, so that this port is not called.
const noClientDocuments = ({ now }: Pick<ClientDocumentsOptions, 'now'>): ClientDocuments => ({
  seeDocument: () => () => Promise.resolve({ kind: 'unreachable', at: now() }),
})

export const clientDocuments = (config: OutboundSettings, options: ClientDocumentsOptions): ClientDocuments =>
  config['outbound-fetches']
    ? createClientDocuments({ ...options, ...optionsOf(config, options) })
    : noClientDocuments(options)

const noClientLogos: ClientLogos = { findLogo: () => () => Promise.resolve(undefined) }

/** No picture while outbound fetches are off. */
export const clientLogos = (
  config: OutboundSettings,
  given: Given & Pick<Parameters<typeof createClientLogos>[0], 'now' | 'onFailure'>,
): ClientLogos =>
  config['outbound-fetches'] ? createClientLogos({ ...given, ...optionsOf(config, given) }) : noClientLogos
