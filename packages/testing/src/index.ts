/**
 * The testing kit: arbitraries of all concepts, with valid values first; the laws of the rules; the contracts of
 * stores; and a model of the life cycle of a registry. It needs fast-check, and uvu for assertions and suites.
 * docs/testing.md shows how to use each.
 */

// Any property as a test
export { law } from './law.js'
export { oneSample } from './one-sample.js'
export { propertyRuns, propertySeed, runParameters } from './property-runs.js'

// The laws, for your own rules and for those of the domain
export { brokenAmong, brokenLaws, checkLaw, type BrokenLaw, type CheckParameters } from './laws/check-law.js'
export { type Law } from './laws/law.js'
export { authorizationLaws } from './laws/authorization-laws.js'
export {
  authorizationRules,
  type AuthorizationLaw,
  type AuthorizationRules,
  type Outcome,
} from './laws/authorization-rules.js'
export { grantTypesByScopeValue, permittedByScopeValue } from './laws/scope-table.js'
export { metadataLaws } from './laws/metadata-laws.js'
export {
  metadataRules,
  type MetadataLaw,
  type MetadataRules,
  type RefusedBody,
  type ReportedFault,
} from './laws/metadata-rules.js'
export { documentLaws } from './laws/document-laws.js'
export { documentExceptions, type DocumentException } from './laws/document-doors.js'
export { documentRules, type DocumentLaw, type DocumentRules } from './laws/document-rules.js'
export { keyLaws } from './laws/key-laws.js'
export { keyRules, type KeyLaw, type KeyRules } from './laws/key-rules.js'
export { redirectLaws } from './laws/redirect-laws.js'
export { redirectRules, type RedirectLaw, type RedirectRules } from './laws/redirect-rules.js'

// Doors: the ways by which client metadata enters a service, and the law that they agree
export { verdictAlone, verdictOf, type Door, type Verdict } from './doors/door.js'
export {
  doorsLaw,
  type ComparedDoors,
  type DoorDisagreement,
  type DoorException,
  type FaultOfOneDoor,
} from './doors/doors-law.js'
export { doorExceptions, exceptionsOverHttp } from './doors/door-exceptions.js'
export { ownDoors } from './doors/own-doors.js'
export { settingsOfDoors } from './doors/facts-of-doors.js'
export { bodiesForDoors } from './doors/bodies-for-doors.js'

// Client metadata: valid, with exactly one fault, and judged by the rules of the standards
export {
  customData,
  humanReadableText,
  jsonWebKeySet,
  languageTag,
  validClientMetadata,
  type SentMetadata,
} from './arbitraries/client-metadata.js'
export { clientIdUrlText } from './arbitraries/client-id-url.js'
export { answeredWith } from './arbitraries/documents.js'
export { secretMethods, secretlessMethods } from './arbitraries/client-authentication.js'
export { effectiveMetadata, registrationRequest } from './arbitraries/effective-metadata.js'
export {
  everyFaultOf,
  faultsOfMetadata,
  withOneFault,
  type MetadataFault,
  type OneFault,
} from './arbitraries/metadata-fault.js'
export {
  fetchedUri,
  httpsUri,
  implicitRedirectUri,
  loopbackRedirectUri,
  nativeRedirectUri,
  privateUseUri,
  webRedirectUri,
  webUri,
} from './arbitraries/redirect-uri.js'
export { base64urlOf } from './base64url.js'
export { ruleContext, secretLength, sent, standardRules, validate } from './rule-book.js'

// Credentials and privileges
export { presentedCredential, tokenHash } from './arbitraries/credentials.js'
export { initialAccessToken } from './arbitraries/initial-access-token.js'
export { ceilings, privileges } from './arbitraries/privileges.js'
export { registrationScope, registrationScopeValue, scopeToken } from './arbitraries/registration-scope.js'

// A registration: its facts, settings and generated values, and the registered client
export { presenting, receivedBody, registrationFacts } from './arbitraries/registration-facts.js'
export { credentialPolicy, registrationMode, registrationSettings } from './arbitraries/settings.js'
export { anyClientId, clientId, clientSecretText, epochSecond, issued } from './arbitraries/generated-credentials.js'
export { largeClient } from './arbitraries/large-client.js'
export { issuablePrivileges, managementPrivileges } from './arbitraries/management-privileges.js'
export { issuer, operatorToken } from './arbitraries/operators.js'
export { clientFilter, searchedClients } from './arbitraries/client-filter.js'
export { provenance, registeredBy, registeredByMaster, registeredClient } from './arbitraries/registered-client.js'

// Key rings, end-user sessions, artefacts of the authorization server
export { artefact } from './arbitraries/artefact.js'
export { keyEvent, keyPolicy, namedKey, type KeyEvent } from './arbitraries/key-history.js'
export { endUserSession, subject } from './arbitraries/end-user-session.js'

// A logout: its request and facts, the confirmation page, and the answer
export {
  anyFacts,
  anyText,
  clientOf,
  leaving,
  leftClient,
  namesAt,
  otherUri,
  validFacts,
  urisOf,
  wellFormedState,
  type Leaving,
} from './arbitraries/leaving.js'
export { anyAnswer, answered, confirmationFor, otherBrowser, thisBrowser } from './arbitraries/logout-confirmation.js'

// The contracts of stores, as suites for any store; the stores in memory and on SQLite run all of them
export { artefactEndsContract } from './contracts/artefact-ends-contract.js'
export { artefactsContract } from './contracts/artefacts-contract.js'
export { type ArtefactStore } from './contracts/stored-artefacts.js'
export { budgetsContract } from './contracts/budgets-contract.js'
export { auditContract } from './contracts/audit-contract.js'
export { auditLogContract } from './contracts/audit-log-contract.js'
export { auditOperationsContract } from './contracts/audit-operations-contract.js'
export { clientAuthorizationsContract } from './contracts/client-authorizations-contract.js'
export { clientSearchContract } from './contracts/client-search-contract.js'
export { clientUsesContract } from './contracts/client-uses-contract.js'
export { clientLimitsContract } from './contracts/client-limits-contract.js'
export { clientRegistryContract } from './contracts/client-registry-contract.js'
export { keyedRegistrationsContract } from './contracts/keyed-registrations-contract.js'
export { precedingTokensContract } from './contracts/preceding-tokens-contract.js'
export { clientRemovalContract } from './contracts/client-removal-contract.js'
export { consentsContract } from './contracts/consents-contract.js'
export { endUserSessionsContract } from './contracts/end-user-sessions-contract.js'
export { foreignKeysContract } from './contracts/foreign-keys-contract.js'
export { operatorTokensContract } from './contracts/operator-tokens-contract.js'
export { initialAccessTokensContract } from './contracts/initial-access-tokens-contract.js'
export { instancesContract, type OpenInstances } from './contracts/instances-contract.js'
export { keyRingsContract } from './contracts/key-rings-contract.js'
export { leasesContract } from './contracts/leases-contract.js'
export { logoutConfirmationsContract, type OpenLogoutConfirmations } from './contracts/logout-confirmations-contract.js'
export { pendingNotificationsContract } from './contracts/pending-notifications-contract.js'
export { logoutRemovalContract } from './contracts/logout-removal-contract.js'
export { refreshTokensContract } from './contracts/refresh-tokens-contract.js'
export { sessionTerminationContract } from './contracts/session-termination-contract.js'
export { notificationClaimsContract } from './contracts/notification-claims-contract.js'
export { type Contract, type ContractTest } from './contracts/contract.js'
export {
  done,
  listed,
  refused,
  replaceRings,
  sealedInSteps,
  type OpenStore,
  type SealingCounts,
  type OpenedStore,
  type StoreHandle,
} from './contracts/open-store.js'
export { openedStoreContract } from './contracts/opened-store-contract.js'
export { sealingContract, type Reopened, type SealingParts } from './contracts/sealing-contract.js'
export { storeContract } from './contracts/store-contract.js'
export {
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleRegistrationId,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  exampleToken,
  updatedExample,
  exampleParking,
  exampleRemoval,
} from './examples/examples.js'

// The life cycle of a registry against a model: for a store under the use cases, or for a complete service
export { lifeCycleCommands, liveLifeCycle, type LifeCycleOptions } from './life-cycle/life-cycle.js'
export { type LifeCycleSubject, type NotDone, type ReportedClient } from './life-cycle/subject.js'
export { useCasesAsSubject } from './life-cycle/use-cases-as-subject.js'

// A store against one in memory: steps in turn or at the same time
export { artefactModel } from './store-model/artefact-model.js'
export { clientModel } from './store-model/client-model.js'
export { sessionModel } from './store-model/session-model.js'
export { keyRingModel } from './store-model/key-ring-model.js'
export { storeModelProperty, storeModels, type StoreModelOptions } from './store-model/store-model.js'
export { type Freedoms, type ReferenceStore } from './store-model/explain.js'
export { type Run, type Seen, type Step, type StoreModel } from './store-model/step.js'

// Replacements of ports that a test must not call, or that wait
export { noPauses } from './no-pauses.js'
export { shouldNotBeCalled } from './should-not-be-called.js'
