// What an operator sees of clients, and the queries that choose among them.
export type { ClientFilter, FilterFacts, ListedClient } from './filters.js'
export { foldedText, listedClient, matches, searchTexts, trigramsOf } from './filters.js'
export type { CountedRefusals, ObservedRefusals, RefusalFilter, RefusalGroup, Refused } from './refused.js'
export { addCounts, groupOf, latestRefusals, maxRefusals, otherSoftware, refusalParameters } from './refused.js'
export { type RefusalSender, refusalSenders, refusalsSince, softwareOf } from './refused.js'
export type { BulkChange, FilterParameters, Parameters } from './query.js'
export { decodeClientQuery, decodeListQuery, decodeShortList, parameterTexts } from './query.js'
export { readRefusalReason, unknownParameter } from './query.js'
