/**
 * The rules of client registration: pure, total decisions over plain data. Every decision returns an Either (fp-ts) and neither
 * throws, reads a clock nor draws a random value. This is what people need first; each folder beside it is a subject of its
 * own, and has everything that it exports at `@clientele/domain/<folder>`, for example `@clientele/domain/keys`.
 */

// Registering: RFC 7591 §3
export { decideRegistration, type RegistrationSettings } from './registration/index.js'
export { type RegisteredClient, permitRegistration, requestedPrivileges } from './registration/index.js'
export { storedMetadata, storedPrivileges } from './registration/index.js'
export { type Explanation, explainRegistration } from './operations/index.js'
export { type ClientMetadata, clientMetadataSchema } from './client/index.js'
export { ClientId, RegistrationId } from './client/index.js'
export { parseWellFormedJson } from './kernel/index.js'
export { noPolicy } from './policy/index.js'

// Privileges, a lattice: specification §5
export { Privileges, allPrivileges, intersection, isNothing, union } from './authorization/index.js'
export { missingPrivileges, parseRegistrationScope, permits } from './authorization/index.js'
export { type InitialAccessToken, type OperatorToken, TokenHash } from './authorization/index.js'

// What a store keeps beside clients
export { EpochSeconds, epochSeconds, secondsAfter } from './kernel/index.js'
export { EndUserSession, LogoutNotification, SessionClient, Subject } from './logout/index.js'
export type { Artefact, ArtefactKind, Consent } from './provider/index.js'
export type { ClientAuthorization } from './ports/index.js'
export type { DueParking, DueRemoval } from './life-cycle/index.js'

// How operations on one thing take turns
export { createTurns } from './operations/index.js'
