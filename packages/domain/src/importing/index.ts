// Clients that an import brings, and the format of an export.
export * from './decide.js'
export * from './drafts.js'
