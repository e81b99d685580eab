// Registration: the request, its permission and decision, the stored client and the answer (RFC 7591, RFC 7592).
export type { InvalidClient, UnapprovedClient } from './client-authentication.js'
export type { AuthorizedClient, ConfigurationRefusal } from './configuration.js'
export type { Adjustment } from './adjustments.js'
export { charsetReplaced, tidiedIf } from './adjustments.js'
export { authorizeConfiguration, decodeUpdateRequest } from './configuration.js'
export type { JudgedClient, RegistrationFacts, RegistrationRefusal, RegistrationRequest } from './decide.js'
export type { RegistrationSettings, SentMetadata } from './decide.js'
export { decideRegistration, decodeRegistrationRequest, defaultRegistration, violatesPolicy } from './decide.js'
export type { ClientDescription, ClientInformation, ClientPreview, MetadataWarning } from './information.js'
export { warningsOf } from './information.js'
export { permitRegistration, permitUpdate, requestedPrivileges, storedMetadata, storedPrivileges } from './permit.js'
export type { ClientWithUse, CredentialPolicy, GeneratedCredentials, IfMatch } from './registered-client.js'
export type { Provenance, RegisteredClient, Registration, RegistrationAccessToken } from './registered-client.js'
export type { Representation, TokenFingerprint } from './registered-client.js'
export {
  clientOrigins,
  hasExpiredSecret,
  isDeclaredSet,
  isTokenFingerprint,
  provenanceOf,
} from './registered-client.js'
export { approvedClient, pendingClient, refusedClient } from './registered-client.js'
export { recordedProvenance, resumedClient, suspendedClient, withProvenance } from './registered-client.js'
export type { KeyedRegistration } from './repetition.js'
export { signedBody } from './signed-body.js'
