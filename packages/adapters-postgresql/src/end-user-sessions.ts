import {
  type AuditRow,
  type Encryption,
  type EndUserSession,
  type EndUserSessions,
  type EpochSeconds,
  type TokenHash,
  maxForgotten,
} from '@clientele/domain'
import { fromSessionRow, prove, readRow, readRows, sessionContext, toSessionRow } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Statement, Write } from './database.js'
import { forgetRows } from './forget-rows.js'
import { createReplaceSession } from './replace-session.js'
import { insertSessionClients } from './session-clients.js'
import { isWritten, writeAudit } from './write-audit.js'

// The authorizations of a removed session go with it, because they refer to it.
const forgetOver = {
  name: 'forget_sessions',
  text: forgetRows('end_user_sessions', 'over_at <= $1 AND sid <> $2 ORDER BY over_at', maxForgotten.sessions),
}
const insertSession = {
  name: 'insert_session',
  text: `
INSERT INTO end_user_sessions
  (cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, over_at, declined, version, proof)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ordinal`,
}
const selectWritten = {
  name: 'select_written_session',
  text: 'SELECT 1 FROM end_user_sessions WHERE sid = $1 AND proof = $2',
}

const select = (name: string, where: string): Statement => ({
  name: `select_session_${name}`,
  text: `
SELECT cookie_hash, sid, sub, auth_time, used_at, idle_lifetime, expires_at, declined, version, proof,
  (SELECT coalesce(json_agg(json_build_object('client_id', clients.client_id, 'registration_id', clients.registration_id,
       'sub', named.sub, 'sid', named.sid) ORDER BY named.place), '[]')::text
   FROM session_clients AS named JOIN clients ON clients.ordinal = named.client
   WHERE named.session = end_user_sessions.ordinal) AS clients
FROM end_user_sessions WHERE ${where}`,
})
const byCookie = select('by_cookie', 'cookie_hash = $1')
const bySid = select('by_sid', 'sid = $1')
const bySub = select('by_sub', 'sub = $1 ORDER BY auth_time, ordinal')

const Inserted = t.type({ ordinal: t.number })

const addition = (
  session: EndUserSession,
  cookie: TokenHash,
  at: EpochSeconds,
  proof: string,
  audit: AuditRow | undefined,
): Write<never, void> => ({
  run: async (query) => {
    const row = toSessionRow(session)
    const times = [row.auth_time, row.used_at, row.idle_lifetime, row.expires_at, row.over_at]
    const values = [cookie, row.sid, row.sub, ...times, row.declined, row.version, proof]
    const [inserted] = await query(insertSession, values)
    if (Inserted.is(inserted)) await insertSessionClients(query, inserted.ordinal, session)
    await writeAudit(query, [audit])
    // Last, because the removal of a client locks the client first and then its rows in sessions.
    await query(forgetOver, [at, session.sid])
    return E.right(undefined)
  },
  isDone: isWritten(audit, selectWritten, [session.sid, proof]),
})

export const createEndUserSessions = (db: Database, encryption: Encryption): EndUserSessions => {
  const read = fromSessionRow(encryption)
  return {
    addSession: (session, cookie, at, audit) =>
      pipe(
        prove(encryption, sessionContext(cookie, session)),
        TE.flatMap((proof) => db.transaction(addition(session, cookie, at, proof, audit))),
      ),
    findSession: (cookie) => readRow(read)(db.first(byCookie, [cookie])),
    findSessionById: (sid) => readRow(read)(db.first(bySid, [sid])),
    listSessions: (sub) => readRows(read)(db.run(bySub, [sub])),
    replaceSession: createReplaceSession(db, encryption),
  }
}
