import type { PendingNotifications, AttemptedNotification } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Connection } from './connection.js'
import { readNotifications, selectNotifications } from './select-notifications.js'
import { createNotificationClaims } from './notification-claims.js'
import { createWriteAudit } from './write-audit.js'

const selectOldest = `${selectNotifications} ORDER BY created_at, notices.ordinal`
const deleteNotification = 'DELETE FROM logout_notices WHERE id = @id AND claimed_by = @holder'
const updateNotification = `
UPDATE logout_notices
SET attempts = @attempts, due_at = @due_at, failed = @failed, note = @note, claimed_by = NULL, claimed_until = NULL
WHERE id = @id AND claimed_by = @holder`
const retry = "UPDATE logout_notices SET attempts = 0, due_at = ?, failed = 0, note = '' WHERE failed = 1"
const purgeNotifications = 'DELETE FROM logout_notices WHERE created_at < ?'

const createRecord = (db: Database.Database): ((holder: string) => (tried: AttemptedNotification) => void) => {
  const remove = db.prepare(deleteNotification)
  const update = db.prepare(updateNotification)
  return (holder) => (tried) => {
    if (tried.kind === 'delivered') remove.run({ id: tried.id, holder })
    else {
      const { id, attempts, due_at, note } = tried
      update.run({ id, holder, attempts, due_at, note, failed: tried.kind === 'failed' ? 1 : 0 })
    }
  }
}

export const createPendingNotifications = ({ db, read, queue }: Connection): PendingNotifications => {
  const oldest = db.prepare(selectOldest)
  const retryAll = db.prepare(retry)
  const retryOne = db.prepare(`${retry} AND id = ?`)
  const forget = db.prepare(purgeNotifications)
  const claims = createNotificationClaims(db)
  const record = createRecord(db)
  const { write } = createWriteAudit(db)
  return {
    claimDue: (at, claim, max) => queue.write(() => E.right(claims.claim(at, claim, max))),
    nextDue: (at, holder) => read(() => claims.next(at, holder)),
    recordTries: (holder, tries) => queue.write(() => E.right(tries.forEach(record(holder)))),
    listNotifications: (max) => read(() => readNotifications(() => oldest.iterate(), max)),
    retryNotifications: (id, at, audit) =>
      queue.write(() => {
        const { changes } = O.isSome(id) ? retryOne.run(at, id.value) : retryAll.run(at)
        if (changes > 0) write(audit)
        return E.right(changes)
      }),
    purgeNotifications: (before) => queue.write(() => E.right(forget.run(before).changes)),
  }
}
