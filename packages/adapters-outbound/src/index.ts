/**
 * Requests that the service sends to others: https to public addresses only, bounded in time, size and number.
 */
export { type OutboundOptions } from './outbound-options.js'
export { createLogoutSender } from './logout-sender.js'
export { createSectorIdentifiers } from './sector-identifiers.js'
