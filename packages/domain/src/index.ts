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
} from './authorization/authorize-registrant.js'
export { RegisteredBy } from './authorization/credential.js'
export { isOperatorsClient } from './client/registered-by.js'
export { isInForce, type InitialAccessToken } from './authorization/authorize-registrant.js'
export {
  requestedPrivileges,
  storedPrivileges,
  permitRegistration,
  permitUpdate,
  storedMetadata,
  type PermittedMetadata,
} from './registration/permit-registration.js'
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
} from './authorization/registration-scope.js'
export { TokenHash, type TokenHashBrand } from './authorization/credential.js'
export { onlyValues, type ValueSet } from './authorization/privileges.js'

// Authorization at the client configuration endpoint: RFC 7592 §2
export {
  authorizeConfiguration,
  type AuthorizedClient,
  type ConfigurationRefusal,
} from './registration/authorize-configuration.js'

export * from './front-door/managing.js'
export * from './front-door/operators.js'

// The client: RFC 7591 §2 and §3.2.1
export { ClientId, isDocumented, isNewClientId, type ClientIdBrand } from './client/client-id.js'
export * from './front-door/client-documents.js'
export {
  clientInformation,
  type ClientDescription,
  type ClientInformation,
  type ClientPreview,
} from './registration/client-information.js'
export { needsSecret, withDefaults, type ClientMetadata, type DefaultsContext } from './client/client-metadata.js'
export { clientMetadataSchema } from './client/client-metadata-schema.js'
export { memberOfVariant, type LanguageTagged } from './client/language-tagged.js'
export { matchRedirectUri, type RegisteredRedirects } from './client/match-redirect-uri.js'
export { isMemberName, members, type KnownMembers, type MemberName } from './client/members.js'
export { type Member } from './client/members/member.js'
export { isRefusedScheme, knownPrivateUseSchemes } from './client/private-use-scheme.js'
export { publicKeyFaults, type KeyFault } from './client/public-key.js'
export { type RequestedClientMetadata } from './client/read-members.js'
export { type ApplicationType } from './client/redirect-uri.js'
export { allRules } from './client/rules/all-rules.js'
export {
  type ClientFacts,
  type FaultsOf,
  type MetadataRule,
  type RuleBook,
  type RuleContext,
} from './client/rules/rule.js'
export {
  statementIn,
  type ReadStatement,
  type SoftwareStatementFault,
  type StatementFacts,
} from './client/software-statement.js'
export { validateClientMetadata, type ValidatedMetadata } from './client/validate-client-metadata.js'
export {
  hasExpiredSecret,
  type CredentialPolicy,
  type GeneratedCredentials,
  type RegisteredClient,
  type Registration,
  type RegistrationAccessToken,
} from './registration/registered-client.js'
export { RegistrationId, type RegistrationIdBrand } from './client/registration-id.js'
export {
  decodeRegistrationRequest,
  type RegistrationRequest,
  type SentMetadata,
} from './registration/registration-request.js'
export { decodeUpdateRequest } from './registration/update-request.js'

export * from './front-door/policy.js'

// Operations on clients, the key set and logout; instances on one store
export * from './front-door/operations.js'
export * from './front-door/importing.js'
export * from './front-door/keys.js'
export * from './front-door/logout.js'
export * from './front-door/instances.js'
export * from './front-door/authorization-server.js'

// The ports of the operations
export {
  type AuthorizationKind,
  type ClientAuthorization,
  type ClientAuthorizations,
} from './ports/client-authorizations.js'
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
} from './ports/client-registry.js'
export type { ConfirmReads } from './ports/confirm-reads.js'
export { type CredentialGenerator } from './ports/credential-generator.js'
export { type InitialAccessTokens } from './ports/initial-access-tokens.js'
export {
  sectorIdentifierUnavailable,
  type SectorIdentifierUnavailable,
  type SectorIdentifiers,
} from './ports/sector-identifiers.js'
export { type SoftwareStatements } from './ports/software-statements.js'
export { type Encryption } from './ports/encryption.js'
export { type EncryptionKeyList, type EncryptionKeys } from './ports/encryption-keys.js'
export { type Lease, type Leases } from './ports/leases.js'
export {
  minStoredEvents,
  type ProviderEvent,
  type ProviderEventPage,
  type ProviderEvents,
  type StoredProviderEvent,
} from './ports/provider-events.js'
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
export { type Census, type CountedClient, type CountedClients, type StoredCounts } from './ports/census.js'
export { type Pauses, type Turns } from './ports/turns.js'
export { createTurns } from './use-cases/turns.js'

export * from './front-door/audit.js'

// The login of end-users
export * from './front-door/login.js'

// Refusals, values and codecs that adapters share
export { EpochSeconds, epochSeconds, secondsAfter, type EpochSecondsBrand } from './codec/epoch-seconds.js'
export { type Fault } from './codec/fault.js'
export {
  isJsonObject,
  isParsedObject,
  isPlainObject,
  isSameJson,
  jsonInOrder,
  maxDepth,
  type JsonObject,
  type JsonValue,
} from './codec/json-object.js'
export { ruleTexts, type RuleId, type RuleText } from './codec/rule-texts.js'
export { type JsonFault, parseTokenJson, parseWellFormedJson, readJson } from './json/well-formed-json.js'
export * from './errors.js'
export * from './front-door/life-cycle.js'
export * from './front-door/abuse.js'
