/**
 * The testing kit: arbitraries of all concepts, with valid values first; the laws of the rules; the contracts of
 * stores; and a model of the life cycle of a registry. It needs fast-check, and uvu for assertions and suites.
 * docs/testing.md shows how to use each.
 */

// The operations of a registration by a credential, as a request calls them
export {
  deleteByCredential,
  previewRegistrationByCredential,
  previewUpdateByCredential,
  readByCredential,
  registerByCredential,
  updateByCredential,
} from './by-credential.js'

// Any property as a test
export { law, oneSample, propertyRuns, propertySeed, runParameters } from './property-runs.js'

// The laws, for your own rules and for those of the domain
export { brokenAmong, checkLaw, type BrokenLaw, type CheckParameters, type Law, type Outcome } from './laws/law.js'
export { authorizationLaws, brokenLaws } from './laws/authorization-laws.js'
export { authorizationRules, type AuthorizationLaw, type AuthorizationRules } from './laws/authorization-rules.js'
export { grantTypesByScopeValue, permittedByScopeValue } from './laws/registration-scope.js'
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
export { keyLaws, keyRules, type KeyLaw, type KeyRules } from './laws/key-laws.js'
export { redirectLaws, redirectRules, type RedirectLaw, type RedirectRules } from './laws/redirect-laws.js'

// Doors: the ways by which client metadata enters a service, and the law that they agree
export {
  doorsLaw,
  verdictAlone,
  verdictOf,
  type ComparedDoors,
  type Door,
  type DoorDisagreement,
  type DoorException,
  type FaultOfOneDoor,
  type Verdict,
} from './doors/doors-law.js'
export { doorExceptions, exceptionsOverHttp } from './doors/door-exceptions.js'
export { ownDoors, settingsOfDoors } from './doors/own-doors.js'
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
export {
  clientIdUrlText,
  fetchedUri,
  httpsUri,
  implicitRedirectUri,
  loopbackRedirectUri,
  nativeRedirectUri,
  privateUseUri,
  webRedirectUri,
  webUri,
} from './arbitraries/uris.js'
export { answeredWith } from './arbitraries/documents.js'
export { secretMethods, secretlessMethods } from './arbitraries/client-authentication.js'
export { effectiveMetadata, registrationRequest } from './arbitraries/registration.js'
export {
  everyFaultOf,
  faultsOfMetadata,
  withOneFault,
  type MetadataFault,
  type OneFault,
} from './arbitraries/metadata-fault.js'
export { base64urlOf } from './base64url.js'
export { ruleContext, secretLength, sent, standardRules, validate } from './rule-book.js'

// Credentials and privileges
export { epochSecond, initialAccessToken, presentedCredential, tokenHash } from './arbitraries/credentials.js'
export {
  ceilings,
  privileges,
  registrationScope,
  registrationScopeValue,
  scopeToken,
} from './arbitraries/privileges.js'

// A registration: its facts, settings and generated values, and the registered client
export {
  anyClientId,
  clientId,
  clientSecretText,
  credentialPolicy,
  issued,
  largeClient,
  presenting,
  provenance,
  receivedBody,
  registeredBy,
  registeredByMaster,
  registeredClient,
  registrationFacts,
  registrationMode,
  registrationSettings,
} from './arbitraries/registration.js'
export { issuablePrivileges, issuer, managementPrivileges, operatorToken } from './arbitraries/credentials.js'
export { clientFilter, searchedClients } from './arbitraries/client-filter.js'

// Key rings, end-user sessions, artefacts of the authorization server
export { artefact, endUserSession, subject } from './arbitraries/sessions.js'
export { keyEvent, keyPolicy, namedKey, type KeyEvent } from './arbitraries/key-history.js'

// A logout: its request and facts, the confirmation page, and the answer
export {
  answered,
  anyAnswer,
  anyFacts,
  anyText,
  clientOf,
  confirmationFor,
  leaving,
  leftClient,
  namesAt,
  otherBrowser,
  otherUri,
  thisBrowser,
  urisOf,
  validFacts,
  wellFormedState,
  type Leaving,
} from './arbitraries/logout.js'

// The contracts of stores, as suites for any store; the stores in memory and on SQLite run all of them
export { storeContract } from './store-contract.js'
export { tablesContract } from './contracts/tables.js'
export { belongingsContract } from './contracts/belongings.js'
export { changesContract } from './contracts/changes.js'
export { clientsContract } from './contracts/clients.js'
export { clientLifeContract } from './contracts/client-life.js'
export { clientStatesContract } from './life-cycle/client-states.js'
export { importsContract } from './contracts/imports.js'
export { searchContract } from './contracts/search.js'
export { grantsContract } from './contracts/grants.js'
export { sessionsContract } from './contracts/sessions.js'
export { notificationsContract } from './contracts/notifications.js'
export { keysContract } from './contracts/keys.js'
export { auditContract } from './contracts/audit.js'
export { sharedWorkContract } from './contracts/shared-work.js'
export { openedStoreContract, sealingContract, type Reopened, type SealingParts } from './contracts/sealing.js'
export { logoutConfirmationsContract, type OpenLogoutConfirmations } from './contracts/logout-confirmations.js'
export {
  done,
  listed,
  refused,
  replaceRings,
  sealedInSteps,
  type Contract,
  type ContractTest,
  type OpenStore,
  type OpenedStore,
  type SealingCounts,
} from './contracts/contract.js'
export {
  addition,
  exampleArtefact,
  exampleAuthorization,
  exampleClient,
  exampleConsent,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleOrigin,
  exampleParking,
  exampleRegistrationId,
  exampleRemoval,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  exampleToken,
  exampleTombstones,
  noRow,
  removal,
  updatedExample,
} from './examples.js'

// The life cycle of a registry against a model: for a store under the use cases, or for a complete service
export {
  lifeCycleCommands,
  liveLifeCycle,
  type LifeCycleOptions,
  type LifeCycleSubject,
  type NotDone,
  type ReportedClient,
} from './life-cycle/commands.js'
export { useCasesAsSubject } from './life-cycle/use-cases-as-subject.js'

// A store against one in memory: steps in turn or at the same time
export { artefactModel } from './store-model/artefact-model.js'
export { clientModel } from './store-model/client-model.js'
export { sessionModel } from './store-model/session-model.js'
export { keyRingModel } from './store-model/key-ring-model.js'
export { storeModelProperty, storeModels, type StoreModelOptions } from './store-model/store-model.js'
export {
  type Freedoms,
  type ReferenceStore,
  type Run,
  type Seen,
  type Step,
  type StoreModel,
} from './store-model/explain.js'

// Replacements of ports that a test must not call, or that wait
export { noPauses, only, shouldNotBeCalled } from './ports-in-tests.js'
