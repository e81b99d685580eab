/**
 * Outgoing requests of the service: https, to public addresses and allowed networks, limited in time, size and number.
 */
export { allowingNetworks } from './addresses.js'
export { createClientDocuments, createDocumentKeySets, type ClientDocumentsOptions } from './client-documents.js'
export { createClientLogos } from './client-logos.js'
export { createKeySets, createSectorIdentifiers } from './fetch-json.js'
export {
  createGuardedFetch,
  createRegistrantFetch,
  GuardedFetchError,
  type GuardedFetch,
  type GuardedRequest,
} from './guarded-fetch.js'
export { createLogoutSender } from './logout-sender.js'
export { type OutboundOptions } from './outbound-options.js'
