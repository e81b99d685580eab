// What is exported of managing clients: docs/managing-clients.md.
export {
  isTokenFingerprint,
  clientOrigins,
  clientOriginOf,
  provenanceOf,
  recordedProvenance,
  type ClientOrigin,
  type Provenance,
  type TokenFingerprint,
} from '../registration/registered-client.js'
export { withProvenance } from '../registration/registered-client.js'
export { listedClient, type ListedClient } from '../managing/filters.js'
export { foldedText, maxSearch, minSearch, searchTexts, trigramsOf } from '../managing/filters.js'
export { filterNames, matches, type ClientFilter, type FilterFacts, type RegisteredState } from '../managing/filters.js'
export {
  decodeClientQuery,
  decodePage,
  decodeFilter,
  maxLimit,
  parameterTexts,
  queryParameters,
  unknownParameter,
  type ClientQuery,
  type Parameters,
} from '../managing/query.js'
export { describeClient, ownFields, type DescribedClient } from '../managing/filters.js'
export { positionOf, positionText } from '../managing/filters.js'
export { type ClientRange, type ClientSearch, type FoundClients } from '../ports/store.js'
export { readBulkRequest, restText, type BulkChange, type BulkRequest, type Rest } from '../managing/query.js'
export { countChanged, restorationConflict, type CountChanged, type RestorationConflict } from '../kernel/refusals.js'
export {
  readClientSecrets,
  type ReadClientSecretsPorts,
  readListedClient,
  searchClients,
  type ClientPage,
  type ClientSecrets,
  type SearchClientsPorts,
} from '../operations/search.js'
export {
  removeListedClient,
  type RemoveListedClientPorts,
  type RemoveListedClientRequest,
} from '../operations/remove.js'
export {
  changeClients,
  changedTogether,
  type ChangeClientsPorts,
  type ChangedClients,
  type CountedClients,
} from '../operations/search.js'
