/**
 * The rules for programs without fp-ts: plain objects go in and come out, and nothing throws. Each function answers what the
 * core decides; docs/reuse/rules.md shows it.
 */
export { checkClientMetadata, checkPolicy, clientMetadata, matchRedirectUri } from './check.js'
export { comparePrivileges, readPrivileges } from './check.js'
export type { ClientMetadata } from './client-metadata.js'
export { decideRegistration, decideUpdate } from './decide.js'
export type { Client, Fault, Settings } from './types.js'
