// The audit log: its rows are written by the steps of the changes.
import { type AuditEntry, type StoredAuditRow, readAuditEntry } from '@clientele/domain/audit'
import type { AuditPlace, AuditQuery, StoragePorts } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import { type State, certainly, forgetOver, writeAudit } from './state.js'

const entryOf = ({ entry }: StoredAuditRow): AuditEntry | undefined => O.toUndefined(readAuditEntry(entry))

const isMeant =
  ({ client_id, actor, action, since, until }: AuditQuery) =>
  (row: StoredAuditRow): boolean =>
    (since === undefined || row.at >= since) &&
    (until === undefined || row.at < until) &&
    (client_id === undefined || row.client_id === client_id) &&
    (actor === undefined || [row.actor, row.actor_name, entryOf(row)?.actor.kind].includes(actor)) &&
    (action === undefined || entryOf(row)?.action === action)

/** Negative where the first one is earlier. */
const inOrder = (one: AuditPlace, other: AuditPlace): number => one.at - other.at || one.ordinal - other.ordinal

export const auditLog = (state: State): StoragePorts['auditLog'] => {
  const { rows, checkpoints } = state.audit
  const following = (after: number, max: number): ReadonlyArray<StoredAuditRow> =>
    [...rows.values()]
      .filter(({ ordinal }) => ordinal > after)
      .sort((one, other) => one.ordinal - other.ordinal)
      .slice(0, max)
  return {
    addAuditRow: certainly((row) => writeAudit(state, row)),
    listAudit: certainly((query) => {
      const { before, max } = query
      const found = [...rows.values()]
        .filter(isMeant(query))
        .filter((row) => before === undefined || inOrder(row, before) < 0)
        .sort((one, other) => inOrder(other, one))
      const page = found.slice(0, max)
      const reached = page.at(-1)
      return reached === undefined || found.length <= max ? { rows: page } : { rows: page, reached }
    }),
    listRows: certainly(following),
    listUnlinked: certainly((after, max) =>
      following(Math.max(after, ...[...checkpoints.values()].map(({ highest }) => highest)), max).map((row) => ({
        ...row,
        copied: false,
      })),
    ),
    lastCheckpoint: certainly(() => O.fromNullable([...checkpoints.values()].at(-1)))(),
    checkpointsAfter: certainly((number, max) =>
      [...checkpoints.values()].filter((each) => each.number > number).slice(0, max),
    ),
    addCheckpoint: certainly((checkpoint) => {
      if (checkpoints.has(checkpoint.number)) return false
      checkpoints.set(checkpoint.number, checkpoint)
      return true
    }),
    forgetAudit: certainly(({ number, highest }) => {
      for (const [mac, { ordinal }] of rows) if (ordinal <= highest) rows.delete(mac)
      forgetOver(checkpoints, (each) => each.number, number - 1)
    }),
  }
}
