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
} from '../audit/audit-entry.js'
export {
  CheckpointClaims,
  checkpointType,
  linkOf,
  maxLinked,
  nextCheckpoint,
  readCheckpointClaims,
  storedCheckpoint,
} from '../audit/checkpoint.js'
export {
  auditFaults,
  verifyChain,
  verifyCheckpoint,
  verifyUnlinked,
  type AuditFault,
  type AuditFinding,
  type AuditTimes,
} from '../audit/verify-audit.js'
export { changedMembers } from '../audit/changed-members.js'
export {
  forgetAudit,
  linkAudit,
  type ForgetAuditPorts,
  type LinkAuditPorts,
  type LinkedAudit,
} from '../use-cases/link-audit.js'
export {
  AuditList,
  auditParameters,
  auditQuery,
  defaultListedAudit,
  listAudit,
  maxListedAudit,
  type AuditParameters,
} from '../use-cases/list-audit.js'
export {
  AuditVerification,
  maxFindings,
  verifyAudit,
  type VerifyAuditPorts,
  type VerifyAuditRequest,
} from '../use-cases/verify-audit.js'
export { sealValues, type SealValuesPorts } from '../use-cases/seal-values.js'
export { type CheckpointSigner, type CheckpointVerifier } from '../ports/audit-checkpoints.js'
export { type AuditLog, type AuditPage, type AuditPlace, type AuditQuery } from '../ports/audit-log.js'
export { type StoredAuditRow, type StoredCheckpoint, type UnlinkedAuditRow } from '../audit/stored-audit.js'
export {
  auditedBy,
  writeAudited,
  type AuditPorts,
  type AuditWriting,
  type ByRequest,
  type WithOrigin,
} from '../use-cases/steps/audited.js'
