// Clients of other servers, and the format of an export.
export * from './decide.js'
export * from './drafts.js'
export * from './formats.js'
export * from './keycloak.js'
export * from './records.js'
