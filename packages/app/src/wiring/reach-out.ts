// The outgoing requests of the service, by its settings.
import {
  type ClientDocumentsOptions,
  type GuardedFetch,
  type OutboundOptions,
  allowingNetworks,
  createClientDocuments,
  createKeySets,
  createLogoutSender,
  createRegistrantFetch,
  createSectorIdentifiers,
} from '@clientele/adapters-outbound'
import {
  type ClientDocuments,
  type LogoutSender,
  type SectorIdentifiers,
  type SignedBodies,
  sectorIdentifierUnavailable,
} from '@clientele/domain/ports'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { traceOutbound } from '../observing/log.js'
import type { Config } from '../config/settings.js'

type ReachSettings = Pick<Config, 'outbound-fetches' | 'outbound-allowed-networks'>

/** Whether a connection to the address is allowed. */
export const allowsAddress = (config: ReachSettings): ((address: string) => boolean) =>
  allowingNetworks(config['outbound-allowed-networks'])

const optionsOf = (config: ReachSettings, given: Partial<OutboundOptions>): Partial<OutboundOptions> => ({
  allowsAddress: allowsAddress(config),
  traced: traceOutbound,
  ...given,
})

// Registration refuses the member while outbound fetches are off, so that this port is not called.
const noSectorIdentifiers: SectorIdentifiers = {
  fetchSectorIdentifier: () => TE.left(sectorIdentifierUnavailable('outbound-fetches is off')),
}

export const sectorIdentifiers = (config: ReachSettings, given: Partial<OutboundOptions> = {}): SectorIdentifiers =>
  config['outbound-fetches'] ? createSectorIdentifiers(optionsOf(config, given)) : noSectorIdentifiers

/** Undefined while outbound fetches are off. */
export const logoutSender = (config: ReachSettings, given: Partial<OutboundOptions> = {}): LogoutSender | undefined =>
  config['outbound-fetches'] ? createLogoutSender(optionsOf(config, given)) : undefined

/** For the keys of signed registration requests (decision 0143); nothing while outbound fetches are off. */
export const signersKeySets = (
  config: ReachSettings,
  given: Partial<OutboundOptions> = {},
): Pick<SignedBodies, 'fetchKeySet'> => (config['outbound-fetches'] ? createKeySets(optionsOf(config, given)) : {})

/** For the key sets of clients (RFC 7591 §2); undefined while outbound fetches are off. */
export const keySetFetch = (config: ReachSettings, given: Partial<OutboundOptions> = {}): GuardedFetch | undefined =>
  config['outbound-fetches'] ? createRegistrantFetch(optionsOf(config, given)) : undefined

// The settings refuse a policy that accepts documents while outbound fetches are off, so that this port is not called.
const noClientDocuments = ({ now }: Pick<ClientDocumentsOptions, 'now'>): ClientDocuments => ({
  seeDocument: () => () => Promise.resolve({ kind: 'unreachable', at: now() }),
})

export const clientDocuments = (config: ReachSettings, options: ClientDocumentsOptions): ClientDocuments =>
  config['outbound-fetches']
    ? createClientDocuments({ ...options, ...optionsOf(config, options) })
    : noClientDocuments(options)
