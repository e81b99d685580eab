// What an operator sees of clients, and the queries that choose among them.
export type { ClientFilter, FilterFacts, ListedClient } from './filters.js'
export { foldedText, listedClient, matches, searchTexts, trigramsOf } from './filters.js'
export type { BulkChange, FilterParameters, Parameters } from './query.js'
export { decodeClientQuery, decodeListQuery, parameterTexts, readRefusalReason, unknownParameter } from './query.js'
