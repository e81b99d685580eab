// Import and export of clients
export { ClientDraft, type ReadClientRecord, type ReadRecord } from '../importing/drafts.js'
export { type ExportOptions, type ExportedClient, exportVersion, exportedClient } from '../importing/decide.js'
export { type ClientFormat, type ClientFormatName, clientFormats } from '../importing/formats.js'
export { type ImportDecision, decideImport } from '../importing/decide.js'
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
} from '../importing/drafts.js'
export { type JudgeDraftParts, type JudgedImport, judgeDraft } from '../importing/drafts.js'
export type { StreamedClient } from '../ports/store.js'
export type { ClientWithUse } from '../registration/registered-client.js'
export { exportClients } from '../operations/importing.js'
export {
  type ImportBatch,
  type ImportClientsPorts,
  type ImportClientsRequest,
  ImportOutcome,
  importClients,
  maxImportBatch,
} from '../operations/importing.js'
