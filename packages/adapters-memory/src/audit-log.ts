import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  type AuditEntry,
  type AuditLog,
  type AuditPage,
  type AuditPlace,
  type AuditQuery,
  type AuditRow,
  type LinkedAuditRow,
  type StoredAuditRow,
  readAuditEntry,
} from '@clientele/domain'
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
  ({ client_id, actor, action, since, until }: AuditQuery) =>
  ({ row }: AuditLogEntry): boolean =>
    (since === undefined || row.at >= since) &&
    (until === undefined || row.at < until) &&
    (client_id === undefined || row.client_id === client_id) &&
    (actor === undefined || row.actor === actor || row.actor_name === actor) &&
    (action === undefined || O.exists((entry: AuditEntry) => entry.action === action)(readAuditEntry(row.entry)))

/** Negative where the first one is earlier. */
const inOrder = (one: AuditPlace, other: AuditPlace): number => one.at - other.at || one.ordinal - other.ordinal

const pageOf = (entries: Iterable<AuditLogEntry>, query: AuditQuery): AuditPage => {
  const { before, max } = query
  const found = [...entries]
    .filter(isMeant(query))
    .map(({ row }) => row)
    .filter((row) => before === undefined || inOrder(row, before) < 0)
    .sort((one, other) => inOrder(other, one))
  const rows = found.slice(0, max)
  const reached = rows.at(-1)
  return reached === undefined || found.length <= max ? { rows } : { rows, reached }
}

export const inMemoryAuditLog = (state: State): AuditLog => {
  const { rows, checkpoints } = state.audit
  const linked = (): ReadonlyArray<LinkedAuditRow> =>
    [...rows.values()]
      .flatMap(({ row, checkpoint }) => (checkpoint === undefined ? [] : [{ ...row, checkpoint }]))
      .sort((one, other) => one.checkpoint - other.checkpoint || one.ordinal - other.ordinal)
  const unlinked = (): ReadonlyArray<StoredAuditRow> =>
    [...rows.values()].flatMap(({ row, checkpoint }) => (checkpoint === undefined ? [row] : []))
  return {
    addAuditRow: (row) => step(() => E.right(writeAudit(state, row))),
    listAudit: (query) => step(() => E.right(pageOf(rows.values(), query))),
    listUnlinked: (after, max) =>
      step(() =>
        E.right(
          unlinked()
            .filter(({ ordinal }) => ordinal > after)
            .slice(0, max),
        ),
      ),
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
    listLinked: ({ checkpoint, ordinal }, max) =>
      step(() =>
        E.right(
          linked()
            .filter((row) => row.checkpoint > checkpoint || (row.checkpoint === checkpoint && row.ordinal > ordinal))
            .slice(0, max),
        ),
      ),
    forgetAudit: ({ number }) =>
      step(() => {
        forget(rows, ({ checkpoint }) => checkpoint === number)
        forget(checkpoints, (each) => each.number < number)
        return E.right(undefined)
      }),
  }
}
