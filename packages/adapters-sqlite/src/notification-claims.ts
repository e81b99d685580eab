import { type NotificationClaim, type PendingNotification, EpochSeconds } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as O from 'fp-ts/lib/Option.js'
import { readNotifications, selectNotifications } from './select-notifications.js'

// No other holder has claimed the receiver.
const isFree = `NOT EXISTS (
  SELECT 1 FROM logout_notices AS claimed
  WHERE claimed.receiver = notices.receiver AND claimed.claimed_by <> @holder AND claimed.claimed_until > @at)`
const selectDue = `${selectNotifications} WHERE failed = 0 AND due_at <= @at AND ${isFree} ORDER BY due_at, notices.ordinal`
const selectNext = `${selectNotifications} WHERE failed = 0 AND ${isFree} ORDER BY due_at, notices.ordinal`
const selectEnd = 'SELECT min(claimed_until) FROM logout_notices WHERE claimed_by <> @holder AND claimed_until > @at'
const updateClaim = 'UPDATE logout_notices SET claimed_by = @holder, claimed_until = @until WHERE id = @id'

type Claims = {
  /** Runs in a transaction, so that no other connection claims at the same time. */
  readonly claim: (at: EpochSeconds, claim: NotificationClaim, max: number) => ReadonlyArray<PendingNotification>
  readonly next: (at: EpochSeconds, holder: string) => O.Option<EpochSeconds>
}

export const createNotificationClaims = (db: Database.Database): Claims => {
  const due = db.prepare(selectDue)
  const next = db.prepare(selectNext)
  const end = db.prepare(selectEnd).pluck()
  const update = db.prepare(updateClaim)
  return {
    claim: (at, { holder, until }, max) => {
      const claimed = readNotifications(() => due.iterate({ at, holder }), max)
      for (const { id } of claimed) update.run({ id, holder, until })
      return claimed
    },
    next: (at, holder) => {
      const [entry] = readNotifications(() => next.iterate({ at, holder }), 1)
      const times = [entry?.due_at, end.get({ at, holder })].filter(EpochSeconds.is)
      return O.fromNullable(times.sort((one, other) => one - other)[0])
    },
  }
}
