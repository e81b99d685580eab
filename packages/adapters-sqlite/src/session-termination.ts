import {
  type EndedSession,
  type SessionTermination,
  type SessionChanged,
  type WrittenNotifications,
  maxForgotten,
  sessionChanged,
} from '@clientele/domain'
import { toNotificationRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createNotificationLimits } from './notification-limits.js'
import { createRecordEvent } from './provider-events.js'
import { createRegisteredOrdinal } from './registered-ordinal.js'
import { createWriteAudit } from './write-audit.js'

const selectCurrent = 'SELECT ordinal FROM end_user_sessions WHERE sid = ? AND version = ?'
const deleteSession = 'DELETE FROM end_user_sessions WHERE ordinal = ?'
const revokeGranted = 'DELETE FROM authorizations WHERE session = ? AND (offline = 0 OR ? = 1)'
const insertNotification = `
INSERT INTO logout_notices (id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note)
VALUES (@id, @client, @uri, @receiver, @alg, @sub, @sid, @created_at, 0, @due_at, 0, '')`

const selectEnding = 'SELECT 1 FROM ending_dialogs WHERE dialog_hash = ?'
const insertEnding = 'INSERT INTO ending_dialogs (dialog_hash, remembered_until) VALUES (?, ?)'
const forgetEndings = `
DELETE FROM ending_dialogs WHERE dialog_hash IN
  (SELECT dialog_hash FROM ending_dialogs WHERE remembered_until < ? ORDER BY remembered_until LIMIT ${maxForgotten.endingConfirmations})`

const createEnd = (
  db: Database.Database,
): ((ended: EndedSession) => E.Either<SessionChanged, WrittenNotifications>) => {
  const current = db.prepare(selectCurrent).pluck()
  const notify = db.prepare(insertNotification)
  const revoke = db.prepare(revokeGranted)
  const remove = db.prepare(deleteSession)
  const ordinalOf = createRegisteredOrdinal(db)
  const remember = db.prepare(insertEnding)
  const forget = db.prepare(forgetEndings)
  const giveWay = createNotificationLimits(db)
  const recordEvent = createRecordEvent(db)
  return ({ session, notifications, notificationLimits, revokesOfflineAccess, by }) => {
    const ordinal = current.get(session.sid, session.version)
    if (ordinal === undefined) return E.left(sessionChanged)
    const rows = notifications.flatMap((notification) => {
      const client = ordinalOf(notification)
      return client === undefined ? [] : [toNotificationRow(notification, client)]
    })
    for (const row of rows) notify.run(row)
    revoke.run(session.sid, revokesOfflineAccess ? 1 : 0)
    remove.run(ordinal)
    recordEvent({ event: 'session_ended', sid: session.sid })
    if (by !== undefined) {
      forget.run(by.answered_at)
      remember.run(by.confirmation, by.expires_at)
    }
    const clients = rows.map(({ client }) => client)
    return E.right({ gaveWay: giveWay(clients, notificationLimits) })
  }
}

export const createSessionTermination = ({ db, read, queue }: Connection): SessionTermination => {
  const end = createEnd(db)
  const known = db.prepare(selectEnding)
  const { writeAfter } = createWriteAudit(db)
  return {
    endSession: (ended, audit) => queue.write(() => writeAfter(audit, end(ended))),
    hasEnded: (confirmation) => read(() => known.get(confirmation) !== undefined),
  }
}
