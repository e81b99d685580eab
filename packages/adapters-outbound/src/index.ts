/**
 * Requests that the service sends to others: https, to public addresses and those of networks that are allowed, bounded in
 * time, size and number.
 */
export { allowingNetworks } from './allowed-networks.js'
export { type OutboundOptions } from './outbound-options.js'
export { createLogoutSender } from './logout-sender.js'
export { createSectorIdentifiers } from './sector-identifiers.js'
