// The audit log
export {
  AuditActor,
  AuditEntry,
  AuditOrigin,
  actorOf,
  actorOfOperator,
  auditActions,
  auditRow,
  columnsOf,
  isAuditAction,
  macOf,
  readAuditEntry,
  serviceActor,
  type AuditAction,
  type AuditRow,
  type HashText,
} from '../audit/entries.js'
export {
  CheckpointClaims,
  checkpointType,
  linkOf,
  maxLinked,
  nextCheckpoint,
  readCheckpointClaims,
  storedCheckpoint,
} from '../audit/checkpoints.js'
export {
  auditFaults,
  verifyChain,
  verifyCheckpoint,
  verifyUnlinked,
  type AuditFault,
  type AuditFinding,
  type AuditTimes,
} from '../audit/checkpoints.js'
export { changedMembers } from '../audit/entries.js'
export {
  forgetAudit,
  linkAudit,
  type ForgetAuditPorts,
  type LinkAuditPorts,
  type LinkedAudit,
} from '../operations/audit.js'
export {
  AuditList,
  auditParameters,
  auditQuery,
  defaultListedAudit,
  listAudit,
  maxListedAudit,
  type AuditParameters,
} from '../operations/audit.js'
export {
  AuditVerification,
  maxFindings,
  verifyAudit,
  type VerifyAuditPorts,
  type VerifyAuditRequest,
} from '../operations/verify-audit.js'
export { sealValues, type SealValuesPorts } from '../operations/seal.js'
export { type CheckpointSigner, type CheckpointVerifier } from '../ports/store.js'
export { type AuditLog, type AuditPage, type AuditPlace, type AuditQuery } from '../ports/store.js'
export { type StoredAuditRow, type StoredCheckpoint, type UnlinkedAuditRow } from '../audit/entries.js'
export {
  auditedBy,
  writeAudited,
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  type WithOrigin,
} from '../operations/audit.js'
