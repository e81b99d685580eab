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
} from '../registration/provenance.js'
export { withProvenance } from '../registration/registered-client.js'
export { listedClient, type ListedClient } from '../managing/listed-client.js'
export { foldedText, maxSearch, minSearch, searchTexts, trigramsOf } from '../managing/search-texts.js'
export {
  filterNames,
  matches,
  type ClientFilter,
  type FilterFacts,
  type RegisteredState,
} from '../managing/client-filter.js'
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
} from '../managing/decode-query.js'
export { describeClient, ownFields, type DescribedClient } from '../managing/described-client.js'
export { positionOf, positionText } from '../managing/list-position.js'
export { type ClientRange, type ClientSearch, type FoundClients } from '../ports/client-search.js'
export { readBulkRequest, restText, type BulkChange, type BulkRequest, type Rest } from '../managing/bulk-request.js'
export { countChanged, restorationConflict, type CountChanged, type RestorationConflict } from '../errors.js'
export {
  readClientSecrets,
  type ReadClientSecretsPorts,
  readListedClient,
  searchClients,
  type ClientPage,
  type ClientSecrets,
  type SearchClientsPorts,
} from '../use-cases/search-clients.js'
export {
  removeListedClient,
  type RemoveListedClientPorts,
  type RemoveListedClientRequest,
} from '../use-cases/remove-listed-client.js'
export {
  changeClients,
  changedTogether,
  type ChangeClientsPorts,
  type ChangedClients,
  type CountedClients,
} from '../use-cases/change-clients.js'
