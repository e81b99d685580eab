import type { LogoutOutbox, TriedNotice } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { attempt } from './attempt.js'
import { readNotices, selectNotices } from './logout-notice-row.js'
import { createClaims } from './notification-claims.js'
import type { WriteQueue } from './write-queue.js'

const selectOldest = `${selectNotices} ORDER BY created_at, notices.ordinal`
const deleteNotice = 'DELETE FROM logout_notices WHERE id = @id AND claimed_by = @holder'
const updateNotice = `
UPDATE logout_notices
SET attempts = @attempts, due_at = @due_at, failed = @failed, note = @note, claimed_by = NULL, claimed_until = NULL
WHERE id = @id AND claimed_by = @holder`
const retry = "UPDATE logout_notices SET attempts = 0, due_at = ?, failed = 0, note = '' WHERE failed = 1"
const forgetNotices = 'DELETE FROM logout_notices WHERE created_at < ?'

const createRecord = (db: Database.Database): ((holder: string) => (tried: TriedNotice) => void) => {
  const remove = db.prepare(deleteNotice)
  const update = db.prepare(updateNotice)
  return (holder) => (tried) => {
    if (tried.kind === 'delivered') remove.run({ id: tried.id, holder })
    else {
      const { id, attempts, due_at, note } = tried
      update.run({ id, holder, attempts, due_at, note, failed: tried.kind === 'failed' ? 1 : 0 })
    }
  }
}

export const createLogoutOutbox = (db: Database.Database, queue: WriteQueue): LogoutOutbox => {
  const oldest = db.prepare(selectOldest)
  const retryAll = db.prepare(retry)
  const retryOne = db.prepare(`${retry} AND id = ?`)
  const forget = db.prepare(forgetNotices)
  const claims = createClaims(db)
  const record = createRecord(db)
  return {
    claimDue: (at, claim, max) => queue.write(() => E.right(claims.claim(at, claim, max))),
    nextDue: (at, holder) => attempt(() => claims.next(at, holder)),
    recordTries: (holder, tries) => queue.write(() => E.right(tries.forEach(record(holder)))),
    listNotices: (max) => attempt(() => readNotices(() => oldest.iterate(), max)),
    retryNotices: (id, at) =>
      queue.write(() => E.right((O.isSome(id) ? retryOne.run(at, id.value) : retryAll.run(at)).changes)),
    forgetNotices: (before) => queue.write(() => E.right(forget.run(before).changes)),
  }
}
