// The audit log. Rows of changes are written by the other ports, each with its change; these verbs read and link them.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditAction, AuditRow } from '../audit/audit-entry.js'
import type { StoredAuditRow, StoredCheckpoint, UnlinkedAuditRow } from '../audit/stored-audit.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'

/** The place of a row in a list: by its time, and by its ordinal among those of one second. */
export type AuditPlace = { readonly at: number; readonly ordinal: number }

/** The rows from the latest to the earliest. */
export type AuditQuery = {
  /** Only rows before this place. */
  readonly before?: AuditPlace | undefined
  readonly client_id?: string | undefined
  /** A fingerprint, the kind of an actor without one, or the name of an operator token. */
  readonly actor?: string | undefined
  readonly action?: AuditAction | undefined
  readonly since?: EpochSeconds | undefined
  /** Only rows of before this time. */
  readonly until?: EpochSeconds | undefined
  readonly max: number
}

/** Rows, and the place up to which was looked for them; without one, up to the beginning of the log. */
export type AuditPage = { readonly rows: ReadonlyArray<StoredAuditRow>; readonly reached?: AuditPlace }

export type AuditLog = {
  /** Writes the row of what changes nothing in the store: of a reading, or of a change elsewhere. */
  readonly addAuditRow: (row: AuditRow) => TE.TaskEither<Unavailable, void>
  /** At most `max` rows. It looks at a bounded number of rows, so that it may return fewer, also none, before the end. */
  readonly listAudit: (query: AuditQuery) => TE.TaskEither<Unavailable, AuditPage>
  /** The rows that have a greater ordinal, in the order of their ordinals, at most `max`. */
  readonly listRows: (after: number, max: number) => TE.TaskEither<Unavailable, ReadonlyArray<StoredAuditRow>>
  /** Those of them that are above the rows of all checkpoints. No row appears below one of them later. */
  readonly listUnlinked: (after: number, max: number) => TE.TaskEither<Unavailable, ReadonlyArray<UnlinkedAuditRow>>
  readonly lastCheckpoint: TE.TaskEither<Unavailable, O.Option<StoredCheckpoint>>
  /** The checkpoints with a greater number, in their order, at most `max`. */
  readonly checkpointsAfter: (
    number: number,
    max: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<StoredCheckpoint>>
  /** Stores the checkpoint of the rows up to its highest; false, and without effect, where another one has its number. */
  readonly addCheckpoint: (checkpoint: StoredCheckpoint) => TE.TaskEither<Unavailable, boolean>
  /** Removes the rows up to the highest of the checkpoint, and the checkpoints before it. The checkpoint itself stays. */
  readonly forgetAudit: (checkpoint: StoredCheckpoint) => TE.TaskEither<Unavailable, void>
}
