import type { EndUserSessions, Encryption } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import { attemptRow, attemptRows } from './attempt.js'
import { createReplaceSession } from './replace-session.js'
import { prove } from './row-context.js'
import { createSessionClients } from './session-clients.js'
import { fromSessionRow, selectSession, sessionContext, toSessionRow } from './session-row.js'
import type { WriteQueue } from './write-queue.js'

// So that no sign-in waits long for those that are over, it forgets so many at most.
const mostForgotten = 20
const forgetOver = `
DELETE FROM end_user_sessions WHERE ordinal IN
  (SELECT ordinal FROM end_user_sessions WHERE over_at <= ? ORDER BY over_at LIMIT ${mostForgotten})`
const insertSession = `
INSERT INTO end_user_sessions
  (cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, declined, version, proof)
VALUES (@cookie_hash, @sid, @sub, @auth_time, @used_at, @idle_lifetime, @expires_at, @declined, @version, @proof)`
const prepare = (db: Database.Database) => ({
  forget: db.prepare(forgetOver),
  insert: db.prepare(insertSession),
  byCookie: db.prepare(`${selectSession} WHERE cookie_hash = ?`),
  bySid: db.prepare(`${selectSession} WHERE sid = ?`),
  bySub: db.prepare(`${selectSession} WHERE sub = ? ORDER BY auth_time, ordinal`),
})

export const createEndUserSessions = (
  db: Database.Database,
  queue: WriteQueue,
  encryption: Encryption,
): EndUserSessions => {
  const clients = createSessionClients(db)
  const { forget, insert, byCookie, bySid, bySub } = prepare(db)
  const read = fromSessionRow(encryption)
  return {
    addSession: (session, cookie, at) =>
      queue.writePrepared(prove(encryption, sessionContext(cookie, session)), (proof) => {
        forget.run(at)
        const { lastInsertRowid } = insert.run({ ...toSessionRow(session), cookie_hash: cookie, proof })
        clients.insert(lastInsertRowid, session.clients)
        return E.right(undefined)
      }),
    findSession: (cookie) => attemptRow(() => byCookie.get(cookie), read),
    findSessionById: (sid) => attemptRow(() => bySid.get(sid), read),
    listSessions: (sub) => attemptRows(() => bySub.all(sub), read),
    replaceSession: createReplaceSession(db, queue, encryption),
  }
}
