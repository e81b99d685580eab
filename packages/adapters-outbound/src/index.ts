/**
 * Outgoing requests of the service: https, to public addresses and allowed networks, limited in time, size and number.
 */
export { allowingNetworks } from './allowed-networks.js'
export { createClientDocuments, type ClientDocumentsOptions } from './client-documents/client-documents.js'
export { createDocumentKeySets } from './client-documents/document-key-sets.js'
export { type OutboundOptions } from './outbound-options.js'
export {
  createGuardedFetch,
  createRegistrantFetch,
  GuardedFetchError,
  type GuardedFetch,
  type GuardedRequest,
} from './guarded-fetch.js'
export { createKeySets } from './key-sets.js'
export { createLogoutSender } from './logout-sender.js'
export { createSectorIdentifiers } from './sector-identifiers.js'
