import { type StoredAuditRow, type StoredCheckpoint, EpochSeconds } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

const AuditRow = t.type({
  ordinal: t.number,
  at: t.number,
  client_id: t.union([t.string, t.null]),
  actor: t.string,
  entry: t.string,
  mac: t.string,
})

const Checkpoint = t.type({
  number: t.number,
  at: EpochSeconds,
  lowest: t.number,
  highest: t.number,
  jws: t.string,
})

/** The rows of the table audit_rows; the types of its columns let no other row in. */
export const readAuditRows = (rows: ReadonlyArray<unknown>): ReadonlyArray<StoredAuditRow> => rows.filter(AuditRow.is)

export const readCheckpoints = (rows: ReadonlyArray<unknown>): ReadonlyArray<StoredCheckpoint> =>
  rows.filter(Checkpoint.is)

export const readCheckpoint = (row: unknown): O.Option<StoredCheckpoint> => O.fromPredicate(Checkpoint.is)(row)
