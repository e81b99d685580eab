// The operator's restrictions beyond the standards, as data.
export type { Abilities, CryptographicMember } from './algorithms.js'
export { listedAlgorithms, typesByPolicy } from './algorithms.js'
export { decodeRegistrationPolicy } from './decode.js'
export type { ClientEntries, DocumentPolicy, DriftKind, ExplainedEntry, GivenDocumentPolicy } from './policy.js'
export type { GivenSoftwarePolicy, RegistrationPolicy, TokenLifetimes } from './policy.js'
export { allowsResponseType, documentPolicy, driftActions, driftKinds, explainEntry, lifetimeOf } from './policy.js'
export { noCeilings, noPolicy, withinEntry } from './policy.js'
