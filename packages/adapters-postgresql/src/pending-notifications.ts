import {
  type AttemptedNotification,
  type EpochSeconds,
  type PendingNotification,
  type PendingNotifications,
  EpochSeconds as Seconds,
} from '@clientele/domain'
import { fromNotificationRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { countedWrite, receipted } from './counted-write.js'
import type { Database, Query, Rows } from './database.js'
import { auditValuesOf } from './write-audit.js'

// Qualified, so that a column that a later release adds to clients is not ambiguous here.
const selectNotifications = `
SELECT notifications.id, clients.client_id, clients.registration_id, notifications.uri, notifications.alg,
  notifications.sub, notifications.sid, notifications.created_at, notifications.attempts, notifications.due_at,
  notifications.failed, notifications.note
FROM notifications JOIN clients ON clients.ordinal = notifications.client`
// One claim at a time: the receivers that another instance claims at the same moment are not visible to this one.
const lockClaims = { name: 'lock_claims', text: 'SELECT pg_advisory_xact_lock(1131175270)' }
const isFree = (holder: string, at: string): string => `NOT EXISTS (
  SELECT 1 FROM notifications AS claimed WHERE claimed.receiver = notifications.receiver
    AND claimed.claimed_by <> ${holder} AND claimed.claimed_until > ${at})`
// Locked, so that an attempt that is recorded at the same moment is seen: it may have made the notification due later.
const selectDue = {
  name: 'select_due',
  text: `
${selectNotifications} WHERE notifications.failed = 0 AND notifications.due_at <= $2 AND ${isFree('$1', '$2')}
ORDER BY notifications.due_at, notifications.ordinal LIMIT $3 OFFSET $4 FOR NO KEY UPDATE OF notifications`,
}
const selectNext = {
  name: 'select_next_due',
  text: `
${selectNotifications} WHERE notifications.failed = 0 AND ${isFree('$1', '$2')}
ORDER BY notifications.due_at, notifications.ordinal LIMIT 20`,
}
const selectEnd = {
  name: 'select_claims_end',
  text: 'SELECT min(claimed_until) AS time FROM notifications WHERE claimed_by <> $1 AND claimed_until > $2',
}
const updateClaims = {
  name: 'claim_notifications',
  text: 'UPDATE notifications SET claimed_by = $2, claimed_until = $3 WHERE id = ANY ($1::text[])',
}
const deleteDelivered = {
  name: 'delete_delivered',
  text: 'DELETE FROM notifications WHERE id = $1 AND claimed_by = $2',
}
const updateTried = {
  name: 'update_tried',
  text: `
UPDATE notifications SET attempts = $3, due_at = $4, failed = $5, note = $6, claimed_by = NULL, claimed_until = NULL
WHERE id = $1 AND claimed_by = $2`,
}
const selectOldest = {
  name: 'select_oldest_notifications',
  text: `${selectNotifications} ORDER BY notifications.created_at, notifications.ordinal LIMIT $1`,
}
const retry = receipted(
  'retry_notifications',
  `
UPDATE notifications SET attempts = 0, due_at = $2, failed = 0, note = '""'
WHERE failed = 1 AND ($3::text IS NULL OR id = $3)`,
  4,
)
const purge = receipted('purge_notifications', 'DELETE FROM notifications WHERE created_at < $2')

const Time = t.type({ time: Seconds })
const Noted = t.type({ note: t.string })

const parse = (text: string): unknown => JSON.parse(text)

// A note is JSON, because text cannot contain U+0000.
const withNote = (row: unknown): O.Option<unknown> =>
  Noted.is(row) ? O.tryCatch(() => ({ ...row, note: parse(row.note) })) : O.none

// An unreadable row must not block the others.
const readable = (rows: Rows): ReadonlyArray<PendingNotification> =>
  rows.flatMap((row) => {
    const read = pipe(withNote(row), O.flatMap(fromNotificationRow))
    return O.isSome(read) ? [read.value] : []
  })

/** The first readable ones; pages are read until there are enough of them. */
const readDue = async (
  query: Query,
  holder: string,
  at: EpochSeconds,
  max: number,
): Promise<ReadonlyArray<PendingNotification>> => {
  const due: Array<PendingNotification> = []
  for (let read = 0; due.length < max; read += max) {
    const rows = await query(selectDue, [holder, at, max, read])
    due.push(...readable(rows))
    if (rows.length < max) break
  }
  return due.slice(0, Math.max(0, max))
}

const record = async (query: Query, holder: string, tried: AttemptedNotification): Promise<void> => {
  if (tried.kind === 'delivered') await query(deleteDelivered, [tried.id, holder])
  else
    await query(updateTried, [
      tried.id,
      holder,
      tried.attempts,
      tried.due_at,
      tried.kind === 'failed' ? 1 : 0,
      JSON.stringify(tried.note),
    ])
}

const inOrder = (tries: ReadonlyArray<AttemptedNotification>): ReadonlyArray<AttemptedNotification> =>
  [...tries].sort((one, other) => (one.id < other.id ? -1 : 1))

const earliest = (times: ReadonlyArray<EpochSeconds>): O.Option<EpochSeconds> =>
  O.fromNullable([...times].sort((one, other) => one - other)[0])

export const createPendingNotifications = (db: Database): PendingNotifications => ({
  claimDue: (at, { holder, until }, max) =>
    db.transaction<never, ReadonlyArray<PendingNotification>>({
      run: async (query) => {
        await query(lockClaims)
        const claimed = await readDue(query, holder, at, max)
        await query(updateClaims, [claimed.map(({ id }) => id), holder, until])
        return E.right(claimed)
      },
    }),
  nextDue: (at, holder) =>
    pipe(
      db.run(selectNext, [holder, at]),
      TE.bindTo('due'),
      TE.bind('ends', () => db.run(selectEnd, [holder, at])),
      TE.map(({ due, ends }) =>
        earliest([...readable(due).map(({ due_at }) => due_at), ...ends.filter(Time.is).map(({ time }) => time)]),
      ),
    ),
  recordTries: (holder, tries) =>
    db.transaction({
      run: async (query) => {
        for (const tried of inOrder(tries)) await record(query, holder, tried)
        return E.right(undefined)
      },
    }),
  listNotifications: (max) => pipe(db.run(selectOldest, [Math.max(0, max)]), TE.map(readable)),
  retryNotifications: (id, at, audit) =>
    db.writeOnce(countedWrite(retry, [at, O.toNullable(id), ...auditValuesOf(audit)])),
  purgeNotifications: (before) => db.writeOnce(countedWrite(purge, [before])),
})
