/**
 * The rules of client registration: pure, total decisions over plain data, and use cases that apply them through ports.
 * Every decision returns an Either (fp-ts) and neither throws, reads a clock nor draws a random value.
 */

// The registrant and its privileges: RFC 7591 §3, RFC 6750 §3.1
export {
  authorizeRegistrant,
  addableBy,
  ceilingOf,
  openPrivileges,
  type Ceilings,
  type Registrant,
  type RegistrationMode,
} from './authorization/registrant.js'
export { RegisteredBy } from './authorization/credential.js'
export { isOperatorsClient } from './client/ids.js'
export { isInForce, type InitialAccessToken } from './authorization/registrant.js'
export {
  requestedPrivileges,
  storedPrivileges,
  permitRegistration,
  permitUpdate,
  storedMetadata,
  type PermittedMetadata,
} from './registration/permit.js'
export { type Requester } from './authorization/credential.js'
export { isOperators, permitsDelegation, presentedToken, type PresentedCredential } from './authorization/credential.js'
export {
  Privileges,
  allPrivileges,
  grantPrivilege,
  intersection,
  isNothing,
  missingPrivileges,
  noPrivileges,
  permits,
  union,
  unionOf,
} from './authorization/privileges.js'
export {
  isRegistrationScopeValue,
  neededScopeValues,
  parseRegistrationScope,
  registrationScopeValues,
  type RegistrationScope,
} from './authorization/privileges.js'
export { TokenHash, type TokenHashBrand } from './authorization/credential.js'
export { onlyValues, type ValueSet } from './authorization/privileges.js'

// Authorization at the client configuration endpoint: RFC 7592 §2
export { authorizeConfiguration, type AuthorizedClient, type ConfigurationRefusal } from './registration/update.js'

export * from './front-door/managing.js'
export * from './front-door/operators.js'

// The client: RFC 7591 §2 and §3.2.1
export { ClientId, isDocumented, isNewClientId, type ClientIdBrand } from './client/ids.js'
export * from './front-door/client-documents.js'
export {
  clientInformation,
  type ClientDescription,
  type ClientInformation,
  type ClientPreview,
} from './registration/information.js'
export { needsSecret, withDefaults, type ClientMetadata, type DefaultsContext } from './client/metadata.js'
export { clientMetadataSchema } from './client/schema.js'
export { memberOfVariant, type LanguageTagged } from './client/metadata.js'
export { matchRedirectUri, type RegisteredRedirects } from './client/uris.js'
export { isMemberName, members, type KnownMembers, type MemberName } from './client/members.js'
export { type Member } from './client/members.js'
export { isRefusedScheme, knownPrivateUseSchemes } from './client/uris.js'
export { publicKeyFaults, type KeyFault } from './client/keys.js'
export { type RequestedClientMetadata } from './client/metadata.js'
export { type ApplicationType } from './client/uris.js'
export { allRules } from './client/rules.js'
export {
  type ClientFacts,
  type FaultsOf,
  type MetadataRule,
  type RuleBook,
  type RuleContext,
} from './client/validate.js'
export {
  statementIn,
  type ReadStatement,
  type SoftwareStatementFault,
  type StatementFacts,
} from './client/statement.js'
export { validateClientMetadata, type ValidatedMetadata } from './client/validate.js'
export {
  hasExpiredSecret,
  type CredentialPolicy,
  type GeneratedCredentials,
  type RegisteredClient,
  type Registration,
  type RegistrationAccessToken,
} from './registration/registered-client.js'
export { RegistrationId, type RegistrationIdBrand } from './client/ids.js'
export { decodeRegistrationRequest, type RegistrationRequest, type SentMetadata } from './registration/request.js'
export { decodeUpdateRequest } from './registration/update.js'

export * from './front-door/policy.js'

// Operations on clients, the key set and logout; instances on one store
export * from './front-door/operations.js'
export * from './front-door/importing.js'
export * from './front-door/keys.js'
export * from './front-door/logout.js'
export * from './front-door/instances.js'
export * from './front-door/authorization-server.js'

// The ports of the operations
export { type AuthorizationKind, type ClientAuthorization, type ClientAuthorizations } from './ports/store.js'
export {
  clientChanged,
  clientSuspended,
  registeredBefore,
  requestedBefore,
  initialAccessTokenConsumed,
  noLimits,
  unreadableClient,
  type ClientChanged,
  type ClientSuspended,
  type RegisteredBefore,
  type ClientImport,
  type ClientRegistry,
  type InitialAccessTokenConsumed,
  type RefusedAddition,
  type RefusedImport,
  type RegistryLimits,
  type UnreadableClient,
} from './ports/store.js'
export type { ConfirmReads } from './ports/store.js'
export { type CredentialGenerator } from './ports/outside.js'
export { type InitialAccessTokens } from './ports/store.js'
export {
  sectorIdentifierUnavailable,
  type SectorIdentifierUnavailable,
  type SectorIdentifiers,
} from './ports/outside.js'
export { type SoftwareStatements } from './ports/outside.js'
export { type Encryption } from './ports/outside.js'
export { type EncryptionKeyList, type EncryptionKeys } from './ports/outside.js'
export { type Lease, type Leases } from './ports/store.js'
export {
  minStoredEvents,
  type ProviderEvent,
  type ProviderEventPage,
  type ProviderEvents,
  type StoredProviderEvent,
} from './ports/store.js'
export {
  type Commit,
  type SealedAnew,
  type SealingStep,
  type StoragePorts,
  type Store,
  type StoreNeeds,
  type StoreOpener,
  type StoreRefusal,
} from './ports/store.js'
export { maxForgotten } from './ports/store.js'
export { type Census, type CountedClient, type CountedClients, type StoredCounts } from './ports/store.js'
export { type Pauses, type Turns } from './ports/outside.js'
export { createTurns } from './operations/changing.js'

export * from './front-door/audit.js'

// The login of end-users
export * from './front-door/login.js'

// Refusals, values and codecs that adapters share
export { EpochSeconds, epochSeconds, secondsAfter, type EpochSecondsBrand } from './kernel/time.js'
export { type Fault } from './kernel/faults.js'
export {
  isJsonObject,
  isParsedObject,
  isPlainObject,
  isSameJson,
  jsonInOrder,
  maxDepth,
  type JsonObject,
  type JsonValue,
} from './kernel/json-object.js'
export { ruleTexts, type RuleId, type RuleText } from './kernel/rule-texts.js'
export { type JsonFault, parseTokenJson, parseWellFormedJson, readJson } from './kernel/json.js'
export * from './kernel/refusals.js'
export * from './front-door/life-cycle.js'
export * from './front-door/abuse.js'
