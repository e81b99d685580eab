// The pending logout notifications: written with the end of a session, claimed by the instance that sends them, and removed
// when they are delivered.
import type { AuditRow } from '@clientele/domain/audit'
import { EpochSeconds } from '@clientele/domain/kernel'
import {
  type AttemptedNotification,
  type LogoutNotification,
  type NotificationLimits,
  PendingNotification,
  receiverOf,
} from '@clientele/domain/logout'
import type { NotificationClaim, PendingNotifications } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import {
  type ParameterTypes,
  type Statement,
  anyRow,
  assigned,
  change,
  exists,
  insertion,
  statement,
  together,
} from './statement.js'
import { json, orNull } from './table.js'
import { type Engine, type Tx, selectOrdinal, verb } from './verb.js'

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
  { key: ['id'] },
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

const page = { max: 'number', passed: 'number' } as const
const selectDue = statement(
  `${selectNotifications} WHERE notifications.failed = 0 AND notifications.due_at <= :at AND ${isFree}
ORDER BY notifications.due_at, notifications.ordinal LIMIT :max OFFSET :passed`,
  { at: 'number', holder: 'text', ...page },
  anyRow,
)
const selectNext = statement(
  `${selectNotifications} WHERE notifications.failed = 0 AND ${isFree}
ORDER BY notifications.due_at, notifications.ordinal LIMIT :max OFFSET :passed`,
  { at: 'number', holder: 'text', ...page },
  anyRow,
)
const selectEnd = statement(
  'SELECT min(claimed_until) AS time FROM notifications WHERE claimed_by <> :holder AND claimed_until > :at',
  { at: 'number', holder: 'text' },
  t.type({ time: orNull(t.number) }),
)
const selectOldest = statement(
  `${selectNotifications} ORDER BY notifications.created_at, notifications.ordinal LIMIT :max OFFSET :passed`,
  page,
  anyRow,
)

// A note is JSON, because PostgreSQL has no U+0000 in text.
const Stored = t.type({ failed: t.number, note: t.string })

const fromRow = (row: unknown): ReadonlyArray<PendingNotification> => {
  if (!Stored.is(row)) return []
  const note = O.toUndefined(json(row.note))
  const read = PendingNotification.decode({ ...row, note, failed: row.failed !== 0 })
  return E.isRight(read) ? [read.right] : []
}

const rowsOfPage = 20

/** The first of them that can be read: an unreadable notification must not block the others. */
const readable = async <Failure>(
  max: number,
  rowsOf: (page: {
    readonly max: number
    readonly passed: number
  }) => Promise<E.Either<Failure, ReadonlyArray<unknown>>>,
): Promise<E.Either<Failure, ReadonlyArray<PendingNotification>>> => {
  const found: Array<PendingNotification> = []
  const most = Math.max(max, rowsOfPage)
  for (let passed = 0; found.length < max; passed += most) {
    const rows = await rowsOf({ max: most, passed })
    if (E.isLeft(rows)) return rows
    found.push(...rows.right.flatMap(fromRow))
    if (rows.right.length < most) break
  }
  return E.right(found.slice(0, Math.max(max, 0)))
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
    const due = await readable(max, async (of) => E.right(await tx.all(selectDue, { at, holder, ...of })))
    if (E.isLeft(due)) return due
    const claimed = await Promise.all(due.right.map(async ({ id }) => tx.run(updateClaim, { id, holder, until, at })))
    return E.right(due.right.filter((_, place) => claimed[place] === 1))
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
  // Together, so that SQLite reads both in one transaction.
  nextDue: (at, holder) =>
    pipe(
      TE.Do,
      TE.apS('due', () => readable(1, (of) => engine.all(selectNext, { at, holder, ...of })())),
      TE.apS('end', engine.get(selectEnd, { at, holder })),
      TE.map(({ due: [next], end }) => {
        const times = [next?.due_at, end?.time].filter(EpochSeconds.is)
        return O.fromNullable(times.sort((one, other) => one - other)[0])
      }),
    ),
  recordTries: (holder, tries) => engine.write(recordTries(holder, tries)),
  listNotifications: (max) => () => readable(max, (of) => engine.all(selectOldest, of)()),
  retryNotifications: (id, at, audit) => engine.write(retryNotifications(id, at, audit)),
  purgeNotifications: (before) =>
    engine.write(verb({ changes: claims }, async (tx) => E.right(await tx.run(deleteBefore, { before })))),
})
