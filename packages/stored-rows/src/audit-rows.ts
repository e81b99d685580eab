import {
  type AuditPage,
  type AuditQuery,
  type LinkedAuditRow,
  type StoredAuditRow,
  type StoredCheckpoint,
  EpochSeconds,
} from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'

const AuditRow = t.type({
  ordinal: t.number,
  at: t.number,
  client_id: t.union([t.string, t.null]),
  actor: t.string,
  actor_name: t.union([t.string, t.null]),
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

const LinkedRow = t.intersection([AuditRow, t.type({ checkpoint: t.number })])

export const readLinkedRows = (rows: ReadonlyArray<unknown>): ReadonlyArray<LinkedAuditRow> => rows.filter(LinkedRow.is)

/** The number of rows that one statement looks at. */
const maxLookedAt = 2_000

/** More rows without a checkpoint are in no index of a filter: then all rows are looked at. */
export const maxUnindexed = 1_000

export type AuditDriver = 'time' | 'client' | 'actor'

/** What a statement that lists rows needs to know. */
export type AuditScan = {
  /** The filter whose index it reads. */
  readonly by: AuditDriver
  /** It reads the rows of at most this time, and of a lower ordinal where the time is this one. */
  readonly at: number
  readonly ordinal: number
  readonly since: number
  readonly client_id: string | null
  readonly actor: string | null
  /** What the entry of an action contains: only JSON.stringify by this service writes it so. */
  readonly containing: string | null
  /** The number of rows that it looks at, and of those that it returns. */
  readonly window: number
  readonly max: number
}

const driverOf = ({ client_id, actor }: AuditQuery): AuditDriver => {
  if (client_id !== undefined) return 'client'
  return actor === undefined ? 'time' : 'actor'
}

const latest = Number.MAX_SAFE_INTEGER

/** `unindexed` is the number of rows without a checkpoint, or a greater one than maxUnindexed. */
export const auditScan = (query: AuditQuery, unindexed: number): AuditScan => {
  const { client_id = null, actor = null, action, since = -latest, until = latest, before, max } = query
  const by = unindexed > maxUnindexed ? 'time' : driverOf(query)
  const filters = [client_id, actor, action].filter((each) => each !== null && each !== undefined).length
  const { at, ordinal } = before !== undefined && before.at < until ? before : { at: until - 1, ordinal: latest }
  return {
    by,
    at,
    ordinal,
    since,
    client_id,
    actor,
    containing: action === undefined ? null : `"action":"${action}"`,
    window: filters > (by === 'time' ? 0 : 1) ? maxLookedAt : max,
    max,
  }
}

const Scanned = t.intersection([AuditRow, t.type({ meant: t.union([t.boolean, t.number]), place: t.number })])
type Scanned = t.TypeOf<typeof Scanned>

const rowOf = ({ ordinal, at, client_id, actor, actor_name, entry, mac }: Scanned): StoredAuditRow => ({
  ordinal,
  at,
  client_id,
  actor,
  actor_name,
  entry,
  mac,
})

/** The rows of a scan: those that are meant, and the last one that it looked at, if it is not the last of all. */
export const readScan = ({ window, max }: AuditScan, found: ReadonlyArray<unknown>): AuditPage => {
  const scanned = found.filter(Scanned.is)
  const rows = scanned.filter(({ meant }) => Boolean(meant)).map(rowOf)
  const last = scanned.at(-1)
  const isMore = last !== undefined && (last.place === window || scanned.length === max)
  return isMore ? { rows, reached: { at: last.at, ordinal: last.ordinal } } : { rows }
}

export const readCheckpoints = (rows: ReadonlyArray<unknown>): ReadonlyArray<StoredCheckpoint> =>
  rows.filter(Checkpoint.is)

export const readCheckpoint = (row: unknown): O.Option<StoredCheckpoint> => O.fromPredicate(Checkpoint.is)(row)
