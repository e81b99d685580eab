import type { EndUserSession, EndUserSessions, SessionChanged, SessionClient } from '@clientele/domain'
import { sessionChanged, unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { attempt, attemptRow } from './attempt.js'
import { createFindRow } from './find-row.js'
import { rememberingRows } from './remembered-rows.js'
import type { Sealing } from '@clientele/domain'
import { isProven, prove } from './row-context.js'
import type { SessionClients } from './session-clients.js'
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
const updateSession = `
UPDATE end_user_sessions SET sub = @sub, auth_time = @auth_time, used_at = @used_at, idle_lifetime = @idle_lifetime,
  expires_at = @expires_at, declined = @declined, version = @version, proof = @proof
WHERE sid = @sid AND version = @replacing RETURNING ordinal`

/** Characters of rows that are remembered: some five thousand sessions. */
const mostCharacters = 4_194_304

const Proof = t.type({ cookie_hash: t.string, proof: t.string })

const isSame = (one: SessionClient, other: SessionClient | undefined): boolean =>
  one.client_id === other?.client_id && one.sub === other.sub && one.sid === other.sid

// Most replacements tell only that the session was used.
const hasSameClients = ({ clients: next }: EndUserSession, { clients: before }: EndUserSession): boolean =>
  next.length === before.length && next.every((client, index) => isSame(client, before[index]))

const createReplace = (
  db: Database.Database,
  clients: SessionClients,
  sealing: Sealing,
): ((next: EndUserSession, replacing: EndUserSession) => E.Either<SessionChanged, void>) => {
  const update = db.prepare(updateSession).pluck()
  const proofOf = db.prepare('SELECT cookie_hash, proof FROM end_user_sessions WHERE sid = ?')
  return (next, replacing) => {
    const row = proofOf.get(next.sid)
    // A row that is not proven must not get a proof by being replaced: its cookie could be anybody's.
    if (!Proof.is(row) || !isProven(sealing, row.proof, sessionContext(row.cookie_hash, replacing)))
      return E.left(sessionChanged)
    const proof = prove(sealing, sessionContext(row.cookie_hash, next))
    const session = update.get({ ...toSessionRow(next), proof, replacing: replacing.version })
    if (session === undefined) return E.left(sessionChanged)
    if (hasSameClients(next, replacing)) return E.right(undefined)
    const ordinalOf = clients.ordinalsFor(session, replacing)
    clients.remove(session)
    clients.insert(session, next.clients, ordinalOf)
    return E.right(undefined)
  }
}

export const createEndUserSessions = (db: Database.Database, queue: WriteQueue, sealing: Sealing): EndUserSessions => {
  const clients = createSessionClients(db)
  const replace = createReplace(db, clients, sealing)
  const remembered = rememberingRows('cookie_hash', fromSessionRow(sealing), mostCharacters)
  const find = createFindRow(db, remembered)
  const fromRow = (row: unknown): E.Either<string, EndUserSession> => remembered.read(row)
  const forget = db.prepare(forgetOver)
  const insert = db.prepare(insertSession)
  const byCookie = db.prepare(`${selectSession} WHERE cookie_hash = ?`)
  const bySid = db.prepare(`${selectSession} WHERE sid = ?`)
  const bySub = db.prepare(`${selectSession} WHERE sub = ? ORDER BY auth_time, ordinal`)
  return {
    addSession: (session, cookie, at) =>
      queue.write(() => {
        forget.run(at)
        const proof = prove(sealing, sessionContext(cookie, session))
        const { lastInsertRowid } = insert.run({ ...toSessionRow(session), cookie_hash: cookie, proof })
        clients.insert(lastInsertRowid, session.clients)
        return E.right(undefined)
      }),
    findSession: (cookie) => attemptRow(() => find(cookie, () => byCookie.get(cookie)), identity),
    findSessionById: (sid) => attemptRow(() => bySid.get(sid), fromRow),
    listSessions: (sub) =>
      pipe(
        attempt(() => bySub.all(sub)),
        TE.flatMapEither((rows) => pipe(rows, E.traverseArray(fromRow), E.mapLeft(unavailable))),
      ),
    replaceSession: (next, replacing) => queue.write(() => replace(next, replacing)),
  }
}
