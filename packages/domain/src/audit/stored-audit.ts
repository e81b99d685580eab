// The audit log as it is in a store.
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { AuditRow } from './audit-entry.js'

/** A row as it is in the store: any text may stand in its columns. */
export type StoredAuditRow = Omit<AuditRow, 'at' | 'mac'> & {
  readonly ordinal: number
  readonly at: number
  readonly mac: string
}

/** A row above those of all checkpoints. */
export type UnlinkedAuditRow = StoredAuditRow & {
  /** Whether an earlier row has its digest, so that somebody has copied it. */
  readonly copied: boolean
}

/**
 * A signed list of rows: of those above the highest one of the checkpoints before. `lowest` and `highest` are the first and the
 * last ordinal of its rows, 0 without rows.
 */
export type StoredCheckpoint = {
  readonly number: number
  readonly at: EpochSeconds
  readonly lowest: number
  readonly highest: number
  readonly jws: string
}
