// The audit log: rows that are written with their changes, and the checkpoints that list them. A row is written once: the
// indexes of clients and actors are of a table beside it, which a checkpoint fills.
import { AuditActorKind } from '@clientele/domain/audit'
import { EpochSeconds } from '@clientele/domain/kernel'
import type { AuditLog, AuditQuery } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { change, insertion, select, statement } from './statement.js'
import { orNull } from './table.js'
import { type Engine, readOn, verb, verbOf } from './verb.js'

/** The row that is written with a change (`tx.note`). */
export const insertAuditRow = insertion(
  'audit_rows',
  { at: 'number', client_id: 'text', actor: 'text', actor_name: 'text', entry: 'text', mac: 'text' },
  ['at', 'mac'],
)

const row = {
  ordinal: t.number,
  at: t.number,
  client_id: orNull(t.string),
  actor: t.string,
  actor_name: orNull(t.string),
  entry: t.string,
  mac: t.string,
}
/** Without what a scan has beside it. */
const Row = t.strict(row)
const columns = Object.keys(row).join(', ')

/** The number of rows that one statement looks at. */
const maxLookedAt = 2_000

/** More rows above the last checkpoint are in no index of a filter: then all rows are looked at. */
const maxUnindexed = 1_000

/** Rows of at most the time `at`, and of a lower ordinal where the time is that one; `window` is how many are looked at. */
const scanTypes = {
  at: 'number',
  ordinal: 'number',
  since: 'number',
  window: 'number',
  max: 'number',
  client_id: 'text',
  actor: 'text',
  kind: 'text',
  containing: 'text',
} as const

const latestOf = (time: 'at' | 'at + 0'): string => `
(${time}, ordinal) < (:at, :ordinal) AND ${time} >= :since ORDER BY ${time} DESC, ordinal DESC LIMIT :window`

/** The places of rows by one index, in the order of the time as the index has it. */
const indexed = (condition: string): string =>
  `SELECT ordinal FROM audit_index WHERE ${condition} AND ${latestOf('at')}`

// Few rows, which are in no index of clients and actors. The index of times has all rows: an expression keeps databases from it.
const isUnindexed = 'ordinal > (SELECT coalesce(max(highest), 0) FROM audit_checkpoints)'
const unindexed = (condition: string): string =>
  `SELECT ordinal FROM audit_rows WHERE ${isUnindexed} AND ${condition} AND ${latestOf('at + 0')}`

type Dialect = { readonly position: 'instr' | 'strpos'; readonly among: (ordinals: string) => string }

const isMeant = ({ position }: Dialect): string => `
(:client_id IS NULL OR client_id = :client_id)
  AND (:actor IS NULL OR actor = :actor OR actor_name = :actor OR (:kind IS NOT NULL AND ${position}(entry, :kind) > 0))
  AND (:containing IS NULL OR ${position}(entry, :containing) > 0)`

/** All rows, or those of the parts: together, they have the rows of one filter. */
const lookedAt = ({ among }: Dialect, parts: ReadonlyArray<string>): string =>
  parts.length === 0
    ? `SELECT ${columns} FROM audit_rows WHERE ${latestOf('at')}`
    : `SELECT ${columns} FROM audit_rows WHERE ordinal ${among(parts.map((part) => `SELECT * FROM (${part}) AS part`).join(' UNION ALL '))}`

const scanText = (dialect: Dialect, parts: ReadonlyArray<string>): string => `
SELECT * FROM (
  SELECT looked_at.*, row_number() OVER (ORDER BY at DESC, ordinal DESC) AS place,
    CASE WHEN ${isMeant(dialect)} THEN 1 ELSE 0 END AS meant
  FROM (${lookedAt(dialect, parts)}) AS looked_at) AS numbered
WHERE place <= :window AND (meant = 1 OR place = :window) ORDER BY place LIMIT :max`

const Scanned = t.type({ ...row, place: t.number, meant: t.number })

// PostgreSQL finds the rows of an array by their key, however many it expects.
const scan = (...parts: ReadonlyArray<string>) =>
  statement(
    {
      sqlite: scanText({ position: 'instr', among: (ordinals) => `IN (${ordinals})` }, parts),
      postgresql: scanText({ position: 'strpos', among: (ordinals) => `= ANY (ARRAY(${ordinals}))` }, parts),
    },
    scanTypes,
    Scanned,
  )

const scans = {
  time: scan(),
  client: scan(indexed('client_id = :client_id'), unindexed('client_id = :client_id')),
  actor: scan(
    indexed('actor = :actor'),
    indexed('actor_name = :actor AND actor <> :actor'),
    unindexed('(actor = :actor OR actor_name = :actor)'),
  ),
}

const countUnindexed = statement(
  `SELECT count(*) AS rows FROM (SELECT 1 FROM audit_rows WHERE ${isUnindexed} LIMIT :max) AS unindexed`,
  { max: 'number' },
  t.type({ rows: t.number }),
)

const latest = Number.MAX_SAFE_INTEGER

// Actors of these kinds have no fingerprint, so that the index of actors has the kind.
const indexedKinds: ReadonlyArray<string> = ['anonymous', 'client', 'service', 'store']
const isUnindexedKind = (actor: string): boolean => AuditActorKind.is(actor) && !indexedKinds.includes(actor)

const driverOf = ({ client_id, actor }: AuditQuery, unindexed: number): keyof typeof scans => {
  if (unindexed > maxUnindexed) return 'time'
  if (client_id !== undefined) return 'client'
  return actor === undefined || isUnindexedKind(actor) ? 'time' : 'actor'
}

/** `unindexed` is the number of rows above the last checkpoint, or a greater one than maxUnindexed. */
const scanOf = (query: AuditQuery, unindexed: number) => {
  const { client_id = null, actor = null, action, since = -latest, until = latest, before, max } = query
  const by = driverOf(query, unindexed)
  const filters = [client_id, actor, action].filter((each) => each !== null && each !== undefined).length
  const from = before !== undefined && before.at < until ? before : { at: until - 1, ordinal: latest }
  return {
    scan: scans[by],
    values: {
      at: from.at,
      ordinal: from.ordinal,
      since,
      window: filters > (by === 'time' ? 0 : 1) ? maxLookedAt : max,
      max,
      client_id,
      actor,
      // What the entry of a kind and of an action contains: only JSON.stringify by this service writes it so.
      kind: AuditActorKind.is(actor) ? `"actor":{"kind":"${actor}"` : null,
      containing: action === undefined ? null : `"action":"${action}"`,
    },
  }
}

const following = select(row, 'audit_rows WHERE ordinal > :after ORDER BY ordinal LIMIT :max', {
  after: 'number',
  max: 'number',
})
const unlinked = statement(
  `
SELECT ${columns}, CASE WHEN EXISTS (
    SELECT 1 FROM audit_index WHERE at + 0 = audit_rows.at + 0 AND mac = audit_rows.mac AND ordinal <> audit_rows.ordinal
  ) THEN 1 ELSE 0 END AS copied
FROM audit_rows WHERE ordinal > :after AND ordinal <= :last ORDER BY ordinal LIMIT :max`,
  { after: 'number', last: 'number', max: 'number' },
  t.type({ ...row, copied: t.number }),
)
const highest = statement(
  'SELECT max(ordinal) AS settled, (SELECT max(highest) FROM audit_checkpoints) AS linked FROM audit_rows',
  {},
  t.type({ settled: orNull(t.number), linked: orNull(t.number) }),
)

const checkpointTypes = { number: 'number', at: 'number', lowest: 'number', highest: 'number', jws: 'text' } as const
const checkpoint = { number: t.number, at: EpochSeconds, lowest: t.number, highest: t.number, jws: t.string }
const last = select(checkpoint, 'audit_checkpoints ORDER BY number DESC LIMIT 1', {})
const checkpointsAfter = select(checkpoint, 'audit_checkpoints WHERE number > :number ORDER BY number LIMIT :max', {
  number: 'number',
  max: 'number',
})
const insertCheckpoint = insertion('audit_checkpoints', checkpointTypes, ['number'], 'ON CONFLICT (number) DO NOTHING')
const index = change(
  `
INSERT INTO audit_index (ordinal, at, client_id, actor, actor_name, mac)
SELECT ordinal, at, client_id, actor, actor_name, mac FROM audit_rows WHERE ordinal >= :lowest AND ordinal <= :highest
ON CONFLICT DO NOTHING`,
  { lowest: 'number', highest: 'number' },
)
const forgetIndexed = change('DELETE FROM audit_index WHERE ordinal <= :highest', { highest: 'number' })
const forgetAuditRows = change('DELETE FROM audit_rows WHERE ordinal <= :highest', { highest: 'number' })
const forgetCheckpoints = change('DELETE FROM audit_checkpoints WHERE number < :number', { number: 'number' })

const ofCheckpoints = { changes: ['audit checkpoints'] }

export const createAuditLog = (engine: Engine): AuditLog => ({
  addAuditRow: (audit) => engine.write(verbOf({}, insertAuditRow, audit)),
  listAudit: (query) =>
    readOn(engine, async ({ get, all }) => {
      const { scan, values } = scanOf(query, (await get(countUnindexed, { max: maxUnindexed + 1 }))?.rows ?? 0)
      const found = await all(scan, values)
      const rows = found.filter(({ meant }) => meant === 1).map(Row.encode)
      const end = found.at(-1)
      // Otherwise it looked at all rows up to the beginning of the log.
      const isMore = end !== undefined && (end.place === values.window || found.length === values.max)
      return isMore ? { rows, reached: { at: end.at, ordinal: end.ordinal } } : { rows }
    }),
  listRows: (after, max) => engine.all(following, { after, max }),
  // A row whose transaction began before has its ordinal, and may be committed after a later one.
  listUnlinked: (after, max) =>
    readOn(engine, async ({ get, all, done }) => {
      const { linked = null, settled = null } = (await get(highest, {})) ?? {}
      const range = { after: Math.max(after, linked ?? after), last: settled ?? 0, max }
      if (range.after < range.last) await done(engine.settle)
      const rows = await all(unlinked, range)
      const places = new Map(rows.map(({ mac }, place) => [mac, place] as const).reverse())
      return rows.map((row, place) => ({ ...row, copied: row.copied === 1 || places.get(row.mac) !== place }))
    }),
  lastCheckpoint: pipe(engine.get(last, {}), TE.map(O.fromNullable)),
  checkpointsAfter: (number, max) => engine.all(checkpointsAfter, { number, max }),
  addCheckpoint: (checkpoint) =>
    engine.write(
      verb(ofCheckpoints, async (tx) => {
        if ((await tx.run(insertCheckpoint, checkpoint)) === 0) return E.right(false)
        await tx.run(index, checkpoint)
        return E.right(true)
      }),
    ),
  forgetAudit: (checkpoint) =>
    engine.write(
      verb(ofCheckpoints, async (tx) => {
        await tx.run(forgetIndexed, checkpoint)
        await tx.run(forgetAuditRows, checkpoint)
        await tx.run(forgetCheckpoints, checkpoint)
        return E.right(undefined)
      }),
    ),
})
