import type { LogoutOutbox, OutboxEntry, TriedNotice } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { attempt } from './attempt.js'
import { fromNoticeRow } from './logout-notice-row.js'
import type { WriteQueue } from './write-queue.js'

const selectNotices = `
SELECT id, client_id, uri, alg, sub, sid, created_at, attempts, due_at, failed, note
FROM logout_notices AS notices JOIN clients ON clients.ordinal = notices.client`
const selectDue = `${selectNotices} WHERE failed = 0 AND due_at <= ? ORDER BY due_at, notices.ordinal`
const selectNext = `${selectNotices} WHERE failed = 0 ORDER BY due_at, notices.ordinal`
const selectOldest = `${selectNotices} ORDER BY created_at, notices.ordinal`
const deleteNotice = 'DELETE FROM logout_notices WHERE id = ?'
const updateNotice = `
UPDATE logout_notices SET attempts = @attempts, due_at = @due_at, failed = @failed, note = @note WHERE id = @id`
const retry = "UPDATE logout_notices SET attempts = 0, due_at = ?, failed = 0, note = '' WHERE failed = 1"
const forgetNotices = 'DELETE FROM logout_notices WHERE created_at < ?'

// Rows that cannot be read are left out while they are counted off, so that they never fill the room of the others.
const readable = (rows: () => Iterable<unknown>, most: number): ReadonlyArray<OutboxEntry> => {
  const entries: Array<OutboxEntry> = []
  if (most <= 0) return entries
  for (const row of rows()) {
    const entry = fromNoticeRow(row)
    if (O.isSome(entry) && entries.push(entry.value) >= most) break
  }
  return entries
}

const createRecord = (db: Database.Database): ((tried: TriedNotice) => void) => {
  const [remove, update] = [db.prepare(deleteNotice), db.prepare(updateNotice)]
  return (tried) => {
    if (tried.kind === 'delivered') remove.run(tried.id)
    else {
      const { id, attempts, due_at, note } = tried
      update.run({ id, attempts, due_at, note, failed: tried.kind === 'failed' ? 1 : 0 })
    }
  }
}

export const createLogoutOutbox = (db: Database.Database, queue: WriteQueue): LogoutOutbox => {
  const [due, next, oldest] = [db.prepare(selectDue), db.prepare(selectNext), db.prepare(selectOldest)]
  const [retryAll, retryOne, forget] = [db.prepare(retry), db.prepare(`${retry} AND id = ?`), db.prepare(forgetNotices)]
  const record = createRecord(db)
  return {
    dueNotices: (at, most) => attempt(() => readable(() => due.iterate(at), most)),
    nextDue: pipe(
      attempt(() => readable(() => next.iterate(), 1)),
      TE.map(([entry]) =>
        pipe(
          O.fromNullable(entry),
          O.map(({ due_at }) => due_at),
        ),
      ),
    ),
    recordTries: (tries) => queue.write(() => E.right(tries.forEach(record))),
    listNotices: (most) => attempt(() => readable(() => oldest.iterate(), most)),
    retryNotices: (id, at) =>
      queue.write(() => E.right((O.isSome(id) ? retryOne.run(at, id.value) : retryAll.run(at)).changes)),
    forgetNotices: (before) => queue.write(() => E.right(forget.run(before).changes)),
  }
}
