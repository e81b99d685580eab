// The audit log. Rows of changes are written by the other ports, each with its change; these verbs read and link them.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { StoredAuditRow, StoredCheckpoint } from '../audit/stored-audit.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

/** The rows from the latest to the earliest. */
export type AuditQuery = {
  /** Only rows with a lower ordinal. */
  readonly before?: number | undefined
  readonly client_id?: string | undefined
  /** A fingerprint, or the kind of an actor without one. */
  readonly actor?: string | undefined
  readonly since?: EpochSeconds | undefined
  readonly max: number
}

export type AuditLog = {
  /** Writes the row of what changes nothing in the store: of a reading, or of a change elsewhere. */
  readonly addAuditRow: (row: AuditRow) => TE.TaskEither<Unavailable, void>
  readonly listAudit: (query: AuditQuery) => TE.TaskEither<Unavailable, ReadonlyArray<StoredAuditRow>>
  /** The rows without a checkpoint, the lowest ordinal first, at most `max`. */
  readonly listUnlinked: (max: number) => TE.TaskEither<Unavailable, ReadonlyArray<StoredAuditRow>>
  readonly lastCheckpoint: TE.TaskEither<Unavailable, O.Option<StoredCheckpoint>>
  /** The checkpoints with a greater number, in their order, at most `max`. */
  readonly checkpointsAfter: (
    number: number,
    max: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<StoredCheckpoint>>
  /**
   * Stores the checkpoint, and marks its rows; false, and without effect, where another one has its number, or a row
   * has a checkpoint already or is gone.
   */
  readonly addCheckpoint: (
    checkpoint: StoredCheckpoint,
    ordinals: ReadonlyArray<number>,
  ) => TE.TaskEither<Unavailable, boolean>
  /** The rows that are marked with the checkpoint and lie in its range, in the order of their ordinals. */
  readonly rowsOfCheckpoint: (checkpoint: StoredCheckpoint) => TE.TaskEither<Unavailable, ReadonlyArray<StoredAuditRow>>
  /** Rows that are marked with a checkpoint that is not there, or that lie outside its range; at most `max`. */
  readonly strayRows: (max: number) => TE.TaskEither<Unavailable, ReadonlyArray<StoredAuditRow>>
  /** Removes the rows of the checkpoint, and the checkpoints before it. The checkpoint itself stays. */
  readonly forgetAudit: (checkpoint: StoredCheckpoint) => TE.TaskEither<Unavailable, void>
}
