// The public keys of other signers that the set publishes.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { Unavailable } from '../errors.js'
import type { ForeignKey } from '../keys/foreign-key.js'

export type ForeignKeys = {
  /** All of them, or a failure if one cannot be read; the oldest first. */
  readonly readForeignKeys: TE.TaskEither<Unavailable, ReadonlyArray<ForeignKey>>
  /** Stores all of them, or none if one of their kids is stored already; with the audit row. */
  readonly addForeignKeys: (keys: ReadonlyArray<ForeignKey>, audit?: AuditRow) => TE.TaskEither<Unavailable, void>
  /** Whether a key of this kid was stored; the audit row is written if it was. */
  readonly removeForeignKey: (kid: string, audit?: AuditRow) => TE.TaskEither<Unavailable, boolean>
}
