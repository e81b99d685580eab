import { maxForgotten, type Encryption, type EndUserSessions, type EpochSeconds } from '@clientele/domain'
import { fromSessionRow, prove, readRow, readRows, sessionContext, toSessionRow } from '@clientele/stored-rows'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import type { Connection } from './connection.js'
import { createReplaceSession } from './replace-session.js'
import { createSessionClients } from './session-clients.js'
import { selectRows } from './select-rows.js'
import { selectSession } from './select-session.js'
import { createWriteAudit } from './write-audit.js'

const forgetOver = `
DELETE FROM end_user_sessions WHERE ordinal IN
  (SELECT ordinal FROM end_user_sessions WHERE over_at <= ? ORDER BY over_at LIMIT ${maxForgotten.sessions})
RETURNING sid`
const revokeGranted = 'DELETE FROM authorizations WHERE session = ? AND offline = 0'
const insertSession = `
INSERT INTO end_user_sessions
  (cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, over_at, declined, version, proof)
VALUES (@cookie_hash, @sid, @sub, @auth_time, @used_at, @idle_lifetime, @expires_at, @over_at, @declined, @version,
  @proof)`

const prepare = (db: Database.Database) => ({
  forget: db.prepare<[EpochSeconds], string>(forgetOver).pluck(),
  revoke: db.prepare(revokeGranted),
  insert: db.prepare(insertSession),
  byCookie: selectRows(db, `${selectSession} WHERE cookie_hash = ?`),
  bySid: selectRows(db, `${selectSession} WHERE sid = ?`),
  bySub: selectRows(db, `${selectSession} WHERE sub = ? ORDER BY auth_time, ordinal`),
})

export const createEndUserSessions = ({ db, read, queue }: Connection, encryption: Encryption): EndUserSessions => {
  const clients = createSessionClients(db)
  const { forget, revoke, insert, byCookie, bySid, bySub } = prepare(db)
  const { write } = createWriteAudit(db)
  const fromRow = fromSessionRow(encryption)
  return {
    addSession: (session, cookie, at, audit) =>
      queue.writePrepared(prove(encryption, sessionContext(cookie, session)), (proof) => {
        for (const sid of forget.all(at)) revoke.run(sid)
        const { lastInsertRowid } = insert.run({ cookie_hash: cookie, proof, ...toSessionRow(session) })
        clients.insert(lastInsertRowid, session)
        write(audit)
        return E.right(undefined)
      }),
    findSession: (cookie) => readRow(fromRow)(read(() => byCookie.get(cookie))),
    findSessionById: (sid) => readRow(fromRow)(read(() => bySid.get(sid))),
    listSessions: (sub) => readRows(fromRow)(read(() => bySub.all(sub))),
    replaceSession: createReplaceSession({ db, read, queue }, encryption),
  }
}
