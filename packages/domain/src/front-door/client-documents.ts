// What is exported of Client ID Metadata Documents: docs/client-id-metadata-documents.md.
export { ClientIdUrl, clientIdUrl, type ClientIdUrlBrand, type ReadClientId, type UrlRemark } from '../client/ids.js'
export { acceptsUrl, urlAcceptance, type UrlAcceptance } from '../provider/documents.js'
export { documentAdjustmentTexts, type DocumentAdjustment, type DocumentAdjustmentId } from '../provider/documents.js'
export {
  decideDocument,
  rememberDecision,
  type ApprovedDocument,
  type DecideDocument,
  type DecidedDocument,
  type DocumentedClient,
} from '../provider/decide-document.js'
export { asAccepted, explainDocument, sameRegistration, type ExplainedDocument } from '../provider/decide-document.js'
export { type DocumentSettings } from '../provider/documents.js'
export {
  freshnessEnd,
  freshnessOf,
  showsDocument,
  type CacheFacts,
  type SeenDocument,
} from '../provider/seen-documents.js'
export {
  documentPolicy,
  driftActions,
  driftKinds,
  type DocumentPolicy,
  type DriftAction,
  type DriftKind,
  type GivenDocumentPolicy,
} from '../policy/policy.js'
export { type ClientDocuments } from '../ports/outside.js'
export { type SeenDocuments } from '../ports/store.js'
export {
  documentRefused,
  registrationOfKnown,
  type DocumentRefused,
  type DocumentSuspended,
  type KnownClient,
} from '../provider/decide-document.js'
export { resolveClient, type ResolveClientError, type ResolveClientPorts } from '../operations/documents.js'
export { approveDocument, type ApproveDocumentPorts } from '../operations/documents.js'
