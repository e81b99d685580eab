// Clients that an import brings, and the format of an export.
export type { ExportOptions } from './decide.js'
export { decideImport, exportedClient, readExportedClient } from './decide.js'
export * from './drafts.js'
