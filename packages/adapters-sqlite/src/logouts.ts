import {
  type Encryption,
  type EndedSession,
  type Logouts,
  type SessionChanged,
  type WrittenNotices,
  maxForgotten,
  sessionChanged,
} from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { attempt } from './attempt.js'
import { toNoticeRow } from './logout-notice-row.js'
import { createNoticeLimits } from './notice-limits.js'
import { createRecordEvent, sealEvent } from './provider-events.js'
import { createSessionClients } from './session-clients.js'
import type { WriteQueue } from './write-queue.js'

const selectCurrent = 'SELECT ordinal FROM end_user_sessions WHERE sid = ? AND version = ?'
const deleteSession = 'DELETE FROM end_user_sessions WHERE ordinal = ?'
const revokeGranted = 'DELETE FROM authorizations WHERE session = ? AND (offline = 0 OR ? = 1)'
const insertNotice = `
INSERT INTO logout_notices (id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note)
VALUES (@id, @client, @uri, @receiver, @alg, @sub, @sid, @created_at, 0, @due_at, 0, '')`

const selectEnding = 'SELECT 1 FROM ending_dialogs WHERE dialog_hash = ?'
const insertEnding = 'INSERT INTO ending_dialogs (dialog_hash, remembered_until) VALUES (?, ?)'
const forgetEndings = `
DELETE FROM ending_dialogs WHERE dialog_hash IN
  (SELECT dialog_hash FROM ending_dialogs WHERE remembered_until < ? ORDER BY remembered_until LIMIT ${maxForgotten.endingDialogs})`

const createEnd = (
  db: Database.Database,
): ((ended: EndedSession, endedEvent: string) => E.Either<SessionChanged, WrittenNotices>) => {
  const current = db.prepare(selectCurrent).pluck()
  const notify = db.prepare(insertNotice)
  const revoke = db.prepare(revokeGranted)
  const remove = db.prepare(deleteSession)
  const sessionClients = createSessionClients(db)
  const remember = db.prepare(insertEnding)
  const forget = db.prepare(forgetEndings)
  const giveWay = createNoticeLimits(db)
  const recordEvent = createRecordEvent(db)
  return ({ session, notices, noticeLimits, revokesOfflineAccess, by }, endedEvent) => {
    const ordinal = current.get(session.sid, session.version)
    if (ordinal === undefined) return E.left(sessionChanged)
    const ordinalOf = sessionClients.ordinalsFor(ordinal, session)
    const told = notices.flatMap((notice) => {
      const client = ordinalOf(notice.client_id)
      return client === undefined ? [] : [toNoticeRow(notice, client)]
    })
    for (const row of told) notify.run(row)
    revoke.run(session.sid, revokesOfflineAccess ? 1 : 0)
    remove.run(ordinal)
    recordEvent(endedEvent)
    if (by !== undefined) {
      forget.run(by.answered_at)
      remember.run(by.dialog, by.expires_at)
    }
    const clients = told.map(({ client }) => client)
    return E.right({ gaveWay: giveWay(clients, noticeLimits) })
  }
}

export const createLogouts = (db: Database.Database, queue: WriteQueue, encryption: Encryption): Logouts => {
  const end = createEnd(db)
  const known = db.prepare(selectEnding)
  return {
    endSession: (ended) =>
      queue.writePrepared(sealEvent(encryption, { event: 'session_ended', sid: ended.session.sid }), (event) =>
        end(ended, event),
      ),
    hasEnded: (dialog) => attempt(() => known.get(dialog) !== undefined),
  }
}
