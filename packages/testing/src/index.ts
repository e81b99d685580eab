/**
 * The testing kit: arbitraries of all concepts, with valid values first; the laws of the rules; the contracts of
 * stores; and a model of the life cycle of a registry. It needs fast-check, and uvu for assertions and suites.
 * docs/reuse/test-your-rules.md shows how to use each.
 */

// The operations of a registration by a credential, as a request calls them
export * from './by-credential.js'

// Any property as a test
export { law, oneSample, propertyRuns, propertySeed, runParameters } from './property-runs.js'

// The laws, for your own rules and for those of the domain
export { brokenAmong, checkLaw, type BrokenLaw, type CheckParameters, type Law, type Outcome } from './laws/law.js'
export { authorizationLaws, brokenLaws } from './laws/authorization-laws.js'
export { authorizationRules, type AuthorizationLaw, type AuthorizationRules } from './laws/privilege-laws.js'
export { grantTypesByScopeValue, permittedByScopeValue } from './laws/privilege-laws.js'
export { metadataRules, type MetadataLaw, type MetadataRules } from './laws/metadata-values.js'
export { type RefusedBody, type ReportedFault } from './laws/metadata-values.js'
export * from './laws/metadata-laws.js'
export * from './laws/document-laws.js'
export * from './laws/key-laws.js'
export * from './laws/redirect-laws.js'

// Doors: the ways by which client metadata enters a service, and the law that they agree
export * from './doors/doors-law.js'
export * from './doors/door-exceptions.js'
export * from './doors/bodies-for-doors.js'
export { ownDoors, settingsOfDoors } from './doors/own-doors.js'

// Client metadata: valid, with exactly one fault, and judged by the rules of the standards
export { base64urlOf, customData, humanReadableText } from './arbitraries/json-values.js'
export { jsonWebKeySet, languageTag } from './arbitraries/json-values.js'
export type { SentMetadata } from './arbitraries/json-values.js'
export { validClientMetadata } from './arbitraries/client-metadata.js'
export { secretMethods, secretlessMethods } from './arbitraries/client-authentication.js'
export * from './arbitraries/uris.js'
export { answeredWith } from './arbitraries/documents.js'
export * from './arbitraries/faults-of-clients.js'
export * from './rule-book.js'

// Credentials, privileges and operators
export * from './arbitraries/credentials.js'
export { ceilings, privileges, registrationScope } from './arbitraries/privileges.js'
export { registrationScopeValue, scopeToken } from './arbitraries/privileges.js'

// A registration: its facts, settings and generated values; registered clients, and the search of them
export * from './arbitraries/registration.js'
export * from './arbitraries/client-filter.js'

// Key rings, end-user sessions, artefacts of the authorization server
export * from './arbitraries/sessions.js'
export * from './arbitraries/key-history.js'

// A logout: its request and facts, the confirmation page, and the answer
export * from './arbitraries/logout.js'

// The contracts of stores, as suites for any store; the stores in memory and on SQLite run all of them
export * from './store-contract.js'
export * from './contracts/tables.js'
export { belongingsContract } from './contracts/belongings.js'
export * from './contracts/changes.js'
export * from './contracts/clients.js'
export * from './contracts/client-life.js'
export * from './life-cycle/client-states.js'
export * from './contracts/imports.js'
export * from './contracts/search.js'
export * from './contracts/grants.js'
export * from './contracts/sessions.js'
export * from './contracts/notifications.js'
export * from './contracts/keys.js'
export * from './contracts/audit.js'
export * from './contracts/shared-work.js'
export * from './contracts/sealing.js'
export * from './contracts/logout-confirmations.js'
export { done, listed, refused, sealedInSteps } from './contracts/contract.js'
export { replaceRings } from './contracts/steps.js'
export type { Contract, ContractTest, OpenStore, OpenedStore, SealingCounts } from './contracts/contract.js'
export * from './examples.js'

// The life cycle of a registry against a model: for a store under the use cases, or for a complete service
export * from './life-cycle/commands.js'
export * from './life-cycle/use-cases-as-subject.js'

// A store against one in memory: steps in turn or at the same time
export * from './store-model/store-model.js'
export * from './store-model/client-model.js'
export * from './store-model/session-model.js'
export * from './store-model/key-ring-model.js'
export * from './store-model/artefact-model.js'
export type { Freedoms, ReferenceStore, Run, Seen, Step, StoreModel } from './store-model/explain.js'

// Replacements of ports that a test must not call, or that wait
export * from './ports-in-tests.js'
