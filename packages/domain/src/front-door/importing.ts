// Import and export of clients
export { ClientDraft, type ReadClientRecord, type ReadRecord } from '../importing/client-draft.js'
export { type ExportOptions, type ExportedClient, exportVersion, exportedClient } from '../importing/exported-client.js'
export { type ClientFormat, type ClientFormatName, clientFormats } from '../importing/formats/client-formats.js'
export { type ImportDecision, decideImport } from '../importing/decide-import.js'
export {
  type ImportFinding,
  type ImportNoteId,
  type ImportRuleId,
  type LeftOutId,
  importFault,
  importNote,
  importNotes,
  importRules,
  leftOutTexts,
} from '../importing/import-texts.js'
export { type JudgeDraftParts, type JudgedImport, judgeDraft } from '../importing/judge-draft.js'
export type { ClientWithUse, StreamedClient } from '../ports/client-registry.js'
export { exportClients } from '../use-cases/export-clients.js'
export {
  type ImportBatch,
  type ImportClientsPorts,
  type ImportClientsRequest,
  ImportOutcome,
  importClients,
  maxImportBatch,
} from '../use-cases/import-clients.js'
