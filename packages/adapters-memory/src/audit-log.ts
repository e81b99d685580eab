import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { AuditLog, AuditQuery, AuditRow, StoredAuditRow, StoredCheckpoint } from '@clientele/domain'
import { type AuditLogEntry, type State, forget } from './state.js'
import { step } from './step.js'

/** Called in the step of the change. A row that is there already is not written again. */
export const writeAudit = ({ audit }: State, row: AuditRow | undefined): void => {
  if (row === undefined || audit.rows.has(row.mac)) return
  audit.ordinal += 1
  audit.rows.set(row.mac, { row: { ordinal: audit.ordinal, ...row }, checkpoint: undefined })
}

/** The outcome of a change, with its row if it is not a refusal. */
export const withAudit = <Outcome extends E.Either<unknown, unknown>>(
  state: State,
  row: AuditRow | undefined,
  outcome: Outcome,
): Outcome => {
  if (E.isRight(outcome)) writeAudit(state, row)
  return outcome
}

const isMeant =
  ({ before = Infinity, client_id, actor, since }: AuditQuery) =>
  ({ row }: AuditLogEntry): boolean =>
    row.ordinal < before &&
    (since === undefined || row.at >= since) &&
    (client_id === undefined || row.client_id === client_id) &&
    (actor === undefined || row.actor === actor)

const isInRange = ({ lowest, highest }: StoredCheckpoint, { ordinal }: StoredAuditRow): boolean =>
  ordinal >= lowest && ordinal <= highest

const isOf =
  (of: StoredCheckpoint) =>
  ({ row, checkpoint }: AuditLogEntry): boolean =>
    checkpoint === of.number && isInRange(of, row)

export const inMemoryAuditLog = (state: State): AuditLog => {
  const { rows, checkpoints } = state.audit
  const rowsThat = (holds: (entry: AuditLogEntry) => boolean): ReadonlyArray<StoredAuditRow> =>
    [...rows.values()].filter(holds).map(({ row }) => row)
  const isStray = ({ row, checkpoint }: AuditLogEntry): boolean => {
    const of = checkpoint === undefined ? undefined : checkpoints.get(checkpoint)
    return checkpoint !== undefined && (of === undefined || !isInRange(of, row))
  }
  return {
    addAuditRow: (row) => step(() => E.right(writeAudit(state, row))),
    listAudit: (query) => step(() => E.right([...rowsThat(isMeant(query))].reverse().slice(0, query.max))),
    listUnlinked: (max) => step(() => E.right(rowsThat(({ checkpoint }) => checkpoint === undefined).slice(0, max))),
    lastCheckpoint: step(() => E.right(O.fromNullable([...checkpoints.values()].at(-1)))),
    checkpointsAfter: (number, max) =>
      step(() => E.right([...checkpoints.values()].filter((each) => each.number > number).slice(0, max))),
    addCheckpoint: (checkpoint, ordinals) =>
      step(() => {
        const linked = [...rows].filter(
          ([, entry]) => entry.checkpoint === undefined && ordinals.includes(entry.row.ordinal),
        )
        if (checkpoints.has(checkpoint.number) || linked.length !== ordinals.length) return E.right(false)
        checkpoints.set(checkpoint.number, checkpoint)
        for (const [mac, { row }] of linked) rows.set(mac, { row, checkpoint: checkpoint.number })
        return E.right(true)
      }),
    rowsOfCheckpoint: (of) => step(() => E.right(rowsThat(isOf(of)))),
    strayRows: (max) => step(() => E.right(rowsThat(isStray).slice(0, max))),
    forgetAudit: (of) =>
      step(() => {
        forget(rows, isOf(of))
        forget(checkpoints, ({ number }) => number < of.number)
        return E.right(undefined)
      }),
  }
}
