/**
 * The rules for programs without fp-ts: plain objects go in and come out, and nothing throws. Each function answers what the
 * core decides; docs/reuse/rules.md shows it.
 */
export { type Checked, checkClientMetadata, checkPolicy, clientMetadata, matchRedirectUri } from './check.js'
export type { ClientMetadata } from './client-metadata.js'
export {
  type Decided,
  type RegistrationRequest,
  type UpdateRequest,
  decideRegistration,
  decideUpdate,
} from './decide.js'
export { type ComparedPrivileges, type ReadPrivileges, comparePrivileges, readPrivileges } from './check.js'
export type { Changes, Client, Fault, Privileges, Refused, Registered, Settings } from './types.js'
