// What others are told: the events for an OpenID provider beside the registry, written with what causes them; and the pending logout
// notifications, written with the end of a session, claimed by the instance that sends them, and removed when they are delivered.
import type { AuditRow } from '@clientele/domain/audit'
import { EpochSeconds } from '@clientele/domain/kernel'
import {
  type AttemptedNotification,
  type LogoutNotification,
  type NotificationLimits,
  PendingNotification,
  receiverOf,
} from '@clientele/domain/logout'
import {
  type NotificationClaim,
  type PendingNotifications,
  type ProviderEvent,
  type ProviderEvents,
  type StoredProviderEvent,
  minStoredEvents,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import {
  type ParameterTypes,
  type Statement,
  anyRow,
  assigned,
  change,
  exists,
  insertion,
  returning,
  statement,
  together,
} from './statement.js'
import { json, orNull } from './table.js'
import { type Engine, type Tx, forgottenTogether, keepLatest, readOn, selectOrdinal, verb } from './verb.js'

const insertEvent = returning('provider_events', { event: 'text' }, ['event'], { ordinal: t.number })
const keepLatestEvents = keepLatest('provider_events', minStoredEvents)

export const recordEvent = async (tx: Tx, event: ProviderEvent): Promise<void> =>
  keepLatestEvents(tx, await tx.get(insertEvent, { event: JSON.stringify(event) }))

// In SQLite, which has one writer, the position of an event is its ordinal, and ordinals are consecutive. In PostgreSQL, it is
// the number of its transaction, which may have several events. An event is shown when no transaction before it is open, so
// that positions appear in their order.
const isSettled = 'transaction < pg_snapshot_xmin(pg_current_snapshot())'
const selectEvents = statement(
  {
    sqlite: `
SELECT ordinal AS position, event, ordinal > :position + 1 AS forgotten
FROM provider_events WHERE ordinal > :position ORDER BY ordinal LIMIT :max`,
    postgresql: `
SELECT transaction::text::bigint AS position, event,
  (SELECT (:position <> 0 AND oldest.transaction > :position::text::xid8 AND oldest.ordinal > ${forgottenTogether})::int
   FROM provider_events AS oldest ORDER BY oldest.ordinal LIMIT 1) AS forgotten
FROM provider_events WHERE transaction > :position::text::xid8 AND ${isSettled} ORDER BY transaction
FETCH FIRST (:max) ROWS WITH TIES`,
  },
  { position: 'number', max: 'number' },
  t.type({ position: t.number, event: t.string, forgotten: t.number }),
)
const selectLatest = statement(
  {
    sqlite: 'SELECT max(ordinal) AS position FROM provider_events',
    postgresql: `
SELECT transaction::text::bigint AS position FROM provider_events WHERE ${isSettled} ORDER BY transaction DESC LIMIT 1`,
  },
  {},
  t.type({ position: orNull(t.number) }),
)

const Event: t.Type<ProviderEvent> = t.union([
  t.type({ event: t.literal('client_deleted'), client_id: t.string, registration_id: t.string }),
  t.type({ event: t.literal('session_ended'), sid: t.string }),
])

type EventRow = { readonly position: number; readonly event: string }

/** The event of a row; none if the text is not an event. */
const eventOf = ({ position, event }: EventRow): ReadonlyArray<StoredProviderEvent> => {
  const read = O.toUndefined(json(event))
  return Event.is(read) ? [{ position, event: read }] : []
}

export const createProviderEvents = (engine: Engine): ProviderEvents => ({
  latestPosition: readOn(engine, async ({ get }) => (await get(selectLatest, {}))?.position ?? 0),
  listEvents: (position, max) =>
    readOn(engine, async ({ all }) => {
      const rows = await all(selectEvents, { position, max })
      return {
        events: rows.flatMap(eventOf),
        position: rows.at(-1)?.position ?? position,
        forgotten: rows[0] !== undefined && rows[0].forgotten > 0,
      }
    }),
})

/** What a try changes. */
const triedColumns = { attempts: 'number', due_at: 'number', failed: 'number', note: 'text' } as const

const insertNotification = insertion(
  'notifications',
  {
    id: 'text',
    client: 'number',
    uri: 'text',
    receiver: 'text',
    alg: 'text',
    sub: 'text',
    sid: 'text',
    created_at: 'number',
    ...triedColumns,
  },
  ['id'],
)

// Those that another transaction of PostgreSQL removes or claims at this moment are skipped, so that ends of sessions do not
// wait for each other; the next end removes them.
const removeOldest = <Types extends ParameterTypes & { readonly max: 'number' }>(
  which: string,
  types: Types,
): Statement<Types> => {
  const oldest = `SELECT ordinal FROM notifications ${which} ORDER BY ordinal DESC`
  return change(
    {
      sqlite: `DELETE FROM notifications WHERE ordinal IN (${oldest} LIMIT -1 OFFSET :max)`,
      postgresql: `
DELETE FROM notifications WHERE ordinal IN
  (SELECT ordinal FROM notifications WHERE ordinal IN (${oldest} OFFSET :max) FOR UPDATE SKIP LOCKED)`,
    },
    types,
  )
}
const exceedingOfClient = removeOldest('WHERE client = :client', { client: 'number', max: 'number' } as const)
// They are no more than the ordinals from the lowest to the highest.
const atMost = statement(
  'SELECT (SELECT max(ordinal) FROM notifications) - (SELECT min(ordinal) FROM notifications) + 1 AS number',
  {},
  t.type({ number: orNull(t.number) }),
)
const exceedingOfAll = removeOldest('', { max: 'number' } as const)

/** Removes the oldest notifications above the limits, and returns their number. */
const giveWay = async (
  tx: Tx,
  clients: ReadonlySet<number>,
  { maxPerClient, maxInAll }: NotificationLimits,
): Promise<number> => {
  if (clients.size === 0) return 0
  let gaveWay = 0
  for (const client of clients) gaveWay += await tx.run(exceedingOfClient, { client, max: maxPerClient })
  const isBelow = ((await tx.get(atMost, {}))?.number ?? 0) <= maxInAll
  return isBelow ? gaveWay : gaveWay + (await tx.run(exceedingOfAll, { max: maxInAll }))
}

/**
 * Writes the notifications to clients whose registration has not ended. Returns the number of older ones that gave way. The
 * verb relies on the clients.
 */
export const writeNotifications = async (
  tx: Tx,
  notifications: ReadonlyArray<LogoutNotification>,
  limits: NotificationLimits,
): Promise<number> => {
  const clients = await Promise.all(notifications.map(async (notification) => tx.get(selectOrdinal, notification)))
  const rows = notifications.flatMap(({ id, uri, alg, sub, sid, created_at }, place) => {
    const client = clients[place]?.ordinal
    const untried = { attempts: 0, due_at: created_at, failed: 0, note: '""' }
    return client === undefined
      ? []
      : [{ id, client, uri, receiver: receiverOf({ uri }), alg, sub, sid, created_at, ...untried }]
  })
  await Promise.all(rows.map(async (row) => tx.run(insertNotification, row)))
  return giveWay(tx, new Set(rows.map(({ client }) => client)), limits)
}

// The columns are qualified, because clients may have a column of the same name later.
const selectNotifications = `
SELECT notifications.id, clients.client_id, clients.registration_id, notifications.uri, notifications.alg,
  notifications.sub, notifications.sid, notifications.created_at, notifications.attempts, notifications.due_at,
  notifications.failed, notifications.note
FROM notifications JOIN clients ON clients.ordinal = notifications.client`

/** No other holder has claimed the receiver. */
const isFree = `NOT EXISTS (
  SELECT 1 FROM notifications AS claimed WHERE claimed.receiver = notifications.receiver
    AND claimed.claimed_by <> :holder AND claimed.claimed_until > :at)`

const inOrderOf = (time: string): string =>
  `ORDER BY notifications.${time}, notifications.ordinal LIMIT :max OFFSET :passed`
const page = { max: 'number', passed: 'number' } as const
const selectFree = (which: string) =>
  statement(
    `${selectNotifications} WHERE notifications.failed = 0 AND ${which} ${isFree} ${inOrderOf('due_at')}`,
    { at: 'number', holder: 'text', ...page },
    anyRow,
  )
const selectDue = selectFree('notifications.due_at <= :at AND')
const selectNext = selectFree('')
const selectEnd = statement(
  'SELECT min(claimed_until) AS time FROM notifications WHERE claimed_by <> :holder AND claimed_until > :at',
  { at: 'number', holder: 'text' },
  t.type({ time: orNull(t.number) }),
)
const selectOldest = statement(`${selectNotifications} ${inOrderOf('created_at')}`, page, anyRow)

// A note is JSON, because PostgreSQL has no U+0000 in text.
const Stored = t.type({ failed: t.number, note: t.string })

const fromRow = (row: unknown): ReadonlyArray<PendingNotification> => {
  if (!Stored.is(row)) return []
  const note = O.toUndefined(json(row.note))
  const read = PendingNotification.decode({ ...row, note, failed: row.failed !== 0 })
  return E.isRight(read) ? [read.right] : []
}

const rowsOfPage = 20

type Page = { readonly max: number; readonly passed: number }

/** The first of them that can be read: an unreadable notification must not block the others. */
const readable = async (max: number, rowsOf: (page: Page) => ReturnType<Tx['all']>) => {
  const found: Array<PendingNotification> = []
  const most = Math.max(max, rowsOfPage)
  for (let passed = 0; found.length < max; passed += most) {
    const rows = await rowsOf({ max: most, passed })
    found.push(...rows.flatMap(fromRow))
    if (rows.length < most) break
  }
  return found.slice(0, Math.max(max, 0))
}

// A try that is recorded at the same moment may have made it due later.
const updateClaim = together(
  change(
    `
UPDATE notifications SET claimed_by = :holder, claimed_until = :until WHERE id = :id AND failed = 0 AND due_at <= :at`,
    { id: 'text', holder: 'text', until: 'number', at: 'number' },
  ),
)

const claims = ['claims of notifications']

// Back-Channel Logout §2.5: each notification is sent by one instance at a time. The receivers that another instance claims at
// the same moment would not be visible to this one.
const claimDue = (at: EpochSeconds, { holder, until }: NotificationClaim, max: number) =>
  verb({ changes: claims }, async (tx) => {
    const due = await readable(max, (of) => tx.all(selectDue, { at, holder, ...of }))
    const claimed = await Promise.all(due.map(async ({ id }) => tx.run(updateClaim, { id, holder, until, at })))
    return E.right(due.filter((_, place) => claimed[place] === 1))
  })

const deleteDelivered = together(
  change('DELETE FROM notifications WHERE id = :id AND claimed_by = :holder', { id: 'text', holder: 'text' }),
)
const updateTried = together(
  change(
    `
UPDATE notifications SET ${assigned(triedColumns)}, claimed_by = NULL, claimed_until = NULL WHERE id = :id AND claimed_by = :holder`,
    { id: 'text', holder: 'text', ...triedColumns },
  ),
)

const recordTry = async (tx: Tx, holder: string, tried: AttemptedNotification): Promise<number> => {
  if (tried.kind === 'delivered') return tx.run(deleteDelivered, { id: tried.id, holder })
  const { id, attempts, due_at, note, kind } = tried
  const failed = kind === 'failed' ? 1 : 0
  return tx.run(updateTried, { id, holder, attempts, due_at, failed, note: JSON.stringify(note) })
}

// It relies on claims, so that it and a claim do not wait for each other's notifications.
const recordTries = (holder: string, tries: ReadonlyArray<AttemptedNotification>) =>
  verb({ relies: claims }, async (tx) => {
    // Of tries of one notification the first holds, because it ends the claim.
    const first = new Map([...tries].reverse().map((tried) => [tried.id, tried]))
    await Promise.all([...first.values()].map(async (tried) => recordTry(tx, holder, tried)))
    return E.right(undefined)
  })

const findFailed = exists('notifications WHERE id = :id AND failed = 1', { id: 'text' })
const retry = `UPDATE notifications SET attempts = 0, due_at = :at, failed = 0, note = '""' WHERE failed = 1`
const retryAll = change(retry, { at: 'number' })
const retryOne = change(`${retry} AND id = :id`, { at: 'number', id: 'text' })

const retryNotifications = (id: O.Option<string>, at: EpochSeconds, audit: AuditRow | undefined) =>
  verb({}, async (tx) => {
    // PostgreSQL finds nothing by an id that it cannot store, but its statements that write refuse such text.
    if (O.isSome(id) && (await tx.get(findFailed, { id: id.value })) === undefined) return E.right(0)
    const retried = O.isSome(id) ? await tx.run(retryOne, { at, id: id.value }) : await tx.run(retryAll, { at })
    if (retried > 0) await tx.note(audit)
    return E.right(retried)
  })

const deleteBefore = change('DELETE FROM notifications WHERE created_at < :before', { before: 'number' })

export const createPendingNotifications = (engine: Engine): PendingNotifications => ({
  claimDue: (at, claim, max) => engine.write(claimDue(at, claim, max)),
  nextDue: (at, holder) =>
    readOn(engine, async ({ get, all }) => {
      // Together, so that SQLite reads both in one transaction.
      const [[next], end] = await Promise.all([
        readable(1, (of) => all(selectNext, { at, holder, ...of })),
        get(selectEnd, { at, holder }),
      ])
      const times = [next?.due_at, end?.time].filter(EpochSeconds.is)
      return O.fromNullable(times.sort((one, other) => one - other)[0])
    }),
  recordTries: (holder, tries) => engine.write(recordTries(holder, tries)),
  listNotifications: (max) => readOn(engine, ({ all }) => readable(max, (of) => all(selectOldest, of))),
  retryNotifications: (id, at, audit) => engine.write(retryNotifications(id, at, audit)),
  purgeNotifications: (before) =>
    engine.write(verb({ changes: claims }, async (tx) => E.right(await tx.run(deleteBefore, { before })))),
})
