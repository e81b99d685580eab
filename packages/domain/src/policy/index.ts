// The operator's restrictions beyond the standards, as data.
export type { Abilities, CryptographicMember } from './algorithms.js'
export { listedAlgorithms, typesByPolicy } from './algorithms.js'
export type { ClientEntries, ExplainedEntry, TokenLifetimes } from './clients.js'
export { explainEntry, lifetimeOf, withinEntry } from './clients.js'
export { decodeRegistrationPolicy } from './decode.js'
export type { DocumentPolicy, DriftKind, GivenDocumentPolicy, GivenSoftwarePolicy } from './policy.js'
export type { RegistrationPolicy } from './policy.js'
export { allowsResponseType, documentPolicy, driftActions, driftKinds, noCeilings, noPolicy } from './policy.js'
