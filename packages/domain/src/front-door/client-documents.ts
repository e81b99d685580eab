// What is exported of Client ID Metadata Documents: docs/client-id-metadata-documents.md.
export {
  ClientIdUrl,
  clientIdUrl,
  type ClientIdUrlBrand,
  type ReadClientId,
  type UrlRemark,
} from '../client/client-id-url.js'
export { acceptsUrl, urlAcceptance, type UrlAcceptance } from '../client-documents/accepts-url.js'
export {
  documentAdjustmentTexts,
  type DocumentAdjustment,
  type DocumentAdjustmentId,
} from '../client-documents/document-adjustments.js'
export {
  decideDocument,
  rememberDecision,
  type ApprovedDocument,
  type DecideDocument,
  type DecidedDocument,
  type DocumentedClient,
} from '../client-documents/decide-document.js'
export {
  asAccepted,
  explainDocument,
  sameRegistration,
  type ExplainedDocument,
} from '../client-documents/explain-document.js'
export { type DocumentSettings } from '../client-documents/permit-document.js'
export {
  freshnessEnd,
  freshnessOf,
  showsDocument,
  type CacheFacts,
  type SeenDocument,
} from '../client-documents/seen-document.js'
export {
  documentPolicy,
  driftActions,
  driftKinds,
  type DocumentPolicy,
  type DriftAction,
  type DriftKind,
  type GivenDocumentPolicy,
} from '../policy/document-policy.js'
export { type ClientDocuments } from '../ports/client-documents.js'
export { type SeenDocuments } from '../ports/seen-documents.js'
export {
  documentRefused,
  registrationOfKnown,
  type DocumentRefused,
  type DocumentSuspended,
  type KnownClient,
} from '../client-documents/known-client.js'
export { resolveClient, type ResolveClientError, type ResolveClientPorts } from '../use-cases/resolve-client.js'
export { approveDocument, type ApproveDocumentPorts } from '../use-cases/approve-document.js'
