import {
  type AuditRow,
  type EndedSession,
  type LogoutNotification,
  type SessionChanged,
  type SessionTermination,
  type WrittenNotifications,
  maxForgotten,
  sessionChanged,
} from '@clientele/domain'
import { toNotificationRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database, Query, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { giveWay } from './notification-limits.js'
import { recordEvent } from './provider-events.js'
import { ordinalOf } from './registered-clients.js'
import { isWritten, writeAudit } from './write-audit.js'

// Of two ends at once, one finds the session. The clients are locked before it, because the removal of a client locks
// the client first and then its rows.
const deleteSession = {
  name: 'end_session',
  text: 'DELETE FROM end_user_sessions WHERE sid = $1 AND version = $2 RETURNING 1',
}
const revokeOffline = { name: 'revoke_of_session', text: 'DELETE FROM authorizations WHERE session = $1' }
const insertNotification = {
  name: 'insert_notification',
  text: `
INSERT INTO notifications (id, client, uri, receiver, alg, sub, sid, created_at, attempts, due_at, failed, note)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, 0, '""')`,
}
const insertEnding = {
  name: 'insert_ending',
  text: `
INSERT INTO ending_confirmations (confirmation, remembered_until) VALUES ($1, $2)
ON CONFLICT (confirmation) DO UPDATE SET remembered_until = excluded.remembered_until`,
}
// Not the one of this answer, which may have expired already.
const forgetEndings = {
  name: 'forget_endings',
  text: forgetRows(
    'ending_confirmations',
    'remembered_until < $1 AND confirmation <> $2 ORDER BY remembered_until',
    maxForgotten.endingConfirmations,
  ),
}
const selectEnding = { name: 'select_ending', text: 'SELECT 1 FROM ending_confirmations WHERE confirmation = $1' }
// Another end of the same session has the same effect.
const selectEnded = {
  name: 'select_ended_session',
  text: 'SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM end_user_sessions WHERE sid = $1)',
}

type Addressed = { readonly notification: LogoutNotification; readonly client: number }

/** The notifications to clients that are registered, which are locked against removal. */
const addressed = async (
  query: Query,
  notifications: ReadonlyArray<LogoutNotification>,
): Promise<ReadonlyArray<Addressed>> => {
  const found: Array<Addressed> = []
  for (const notification of notifications) {
    const client = await ordinalOf(query, notification)
    if (client !== undefined) found.push({ notification, client })
  }
  return found
}

const insert = async (query: Query, { notification, client }: Addressed): Promise<void> => {
  const { id, uri, receiver, alg, sub, sid, created_at, due_at } = toNotificationRow(notification, client)
  await query(insertNotification, [id, client, uri, receiver, alg, sub, sid, created_at, due_at])
}

const end = (ended: EndedSession, audit?: AuditRow): Write<SessionChanged, WrittenNotifications> => {
  const { session, notifications, notificationLimits, revokesOfflineAccess, by } = ended
  const written = { gaveWay: 0 }
  return {
    run: async (query) => {
      const sent = await addressed(query, notifications)
      if ((await query(deleteSession, [session.sid, session.version])).length === 0) return E.left(sessionChanged)
      if (revokesOfflineAccess) await query(revokeOffline, [session.sid])
      for (const each of sent) await insert(query, each)
      await recordEvent(query, { event: 'session_ended', sid: session.sid })
      if (by !== undefined) {
        await query(insertEnding, [by.confirmation, by.expires_at])
        await query(forgetEndings, [by.answered_at, by.confirmation])
      }
      await writeAudit(query, [audit])
      const clients = sent.map(({ client }) => client)
      written.gaveWay = await giveWay(query, clients, notificationLimits)
      return E.right({ gaveWay: written.gaveWay })
    },
    isDone: async (query) => O.as({ ...written })(await isWritten(audit, selectEnded, [session.sid])(query)),
  }
}

export const createSessionTermination = (db: Database): SessionTermination => ({
  endSession: (ended, audit) => db.transaction(end(ended, audit)),
  hasEnded: (confirmation) =>
    pipe(
      db.run(selectEnding, [confirmation]),
      TE.map((rows) => rows.length > 0),
    ),
})
