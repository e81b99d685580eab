// The audit log: its rows, their checkpoints, and the verification of both.
export type { AuditFinding, AuditTimes } from './checkpoints.js'
export { CheckpointClaims, auditFaults, checkpointType, linkOf, nextCheckpoint } from './checkpoints.js'
export { readCheckpointClaims, storedCheckpoint, verifyChain } from './checkpoints.js'
export type { AuditAction, AuditRow, StoredAuditRow, StoredCheckpoint } from './entries.js'
export {
  AuditActor,
  AuditActorKind,
  AuditEntry,
  AuditOrigin,
  auditActions,
  auditActors,
  auditDoors,
  auditRow,
  changedMembers,
  columnsOf,
} from './entries.js'
export { isAuditAction, readAuditEntry } from './entries.js'
