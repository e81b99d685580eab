/**
 * The rows of a store in SQL: the codecs between a row and a value of the domain, the contexts that bind a sealed text or
 * a proof to the other columns of its row, and what seals them. Adapters share them; none of them knows a database.
 */
export { ArtefactRow, type NewArtefactRow, artefactContext, fromArtefactRow, toArtefactRow } from './artefact-row.js'
export {
  type AuditDriver,
  auditScan,
  maxUnindexed,
  readAuditRows,
  readCheckpoint,
  readCheckpoints,
  readLinkedRows,
  readScan,
} from './audit-rows.js'
export {
  AuthorizationRow,
  authorizationContext,
  fromAuthorizationRow,
  toAuthorizationRow,
} from './authorization-row.js'
export { ClientRow, type NewClientRow, clientContext, toClientRow, fromClientRow } from './client-row.js'
export { ConsentRow, consentContext, fromConsentRow, sealConsent } from './consent-row.js'
export { digestKeyName, type DigestKeyRow, digestKeyOf } from './digest-key.js'
export { type FindClient, type SelectClients, createFindClient } from './find-client.js'
export { ForeignKeyRow, foreignKeyContext, fromForeignKeyRow, toForeignKeyRow } from './foreign-key-row.js'
export { TokenRow, tokenContext, fromTokenRow } from './initial-access-token-row.js'
export { issuerText } from './issuer-text.js'
export { fromKeyedRegistrationRow } from './keyed-registration-row.js'
export { KeyRingRow, KeyRingVersions, ringContext, toKeyRingRow, fromKeyRingRow } from './key-ring-row.js'
export { memoizeByText } from './memoize-by-text.js'
export { type NewNotificationRow, toNotificationRow, fromNotificationRow } from './notification-row.js'
export { type EventRow, fromEventRow } from './provider-event-row.js'
export { RefreshTokenRow, fromRefreshTokenRow } from './refresh-token-row.js'
export {
  OperatorTokenRow,
  fromOperatorTokenRow,
  operatorTokenContext,
  toOperatorTokenRow,
} from './operator-token-row.js'
export { type Resealed, reseal, verifySealed } from './resealed.js'
export { rowContext, prove, requireProof } from './row-context.js'
export { sealedContexts } from './sealed-contexts.js'
export {
  type SealedCounts,
  type SealedKey,
  type SealedPage,
  type SealedPages,
  allSealingSteps,
  createSealingSteps,
} from './sealing-steps.js'
export { type Operations, createOperations } from './operations.js'
export { type WriteHealth, createWriteHealth } from './write-health.js'
export { type ReadRow, readReadableRows, readRow, readRows, type UnreadableRow, unreadableRow } from './read-row.js'
export { type ReplacementProofs, hasSameClients, replacementProofs } from './session-replacement.js'
export { type SessionRow, toSessionRow, sessionContext, unreadableSession, fromSessionRow } from './session-row.js'
export { storeRefusal, wrongKey, encryptionUnavailable, reasonOf } from './store-refusal.js'
export { type SelectPage, streamClients } from './stream-clients.js'
export { type Forgotten, forgottenBy, forgottenTables } from './forgotten.js'
export { fromUseRows, readWithUse } from './use-row.js'
export { refusalWithout, storedUntil, upsertArtefact } from './storing-artefacts.js'
export { fromCountedRows, fromCountsRow } from './census-row.js'
export { listedColumns, fromListedRow, type PlacedClient } from './listed-row.js'
export { mayBeParked, mayBeRemoved, noticeColumn, parkedMark, waitsSinceColumn } from './waiting-clients.js'
export { fromRemovedRows, keptColumns, removedClientColumns, removedListedColumns } from './removed-row.js'
export { filterConditions, type Condition } from './filter-conditions.js'
export { foundPage, type LookedAt } from './found-page.js'
export { asksForTexts, requiredTrigrams, textsOfFilter } from './narrow-search.js'
