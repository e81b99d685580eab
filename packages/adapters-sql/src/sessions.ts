// The sessions of end-users by browser: begun, found, replaced by their next version, and ended.
import type { AuditRow } from '@clientele/domain/audit'
import { type Unavailable, EpochSeconds, jsonInOrder } from '@clientele/domain/kernel'
import { EndUserSession, sessionEnd } from '@clientele/domain/logout'
import {
  type Encryption,
  type EndUserSessions,
  type EndedSession,
  type SessionChanged,
  type SessionTermination,
  maxForgotten,
  sessionChanged,
} from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { writeNotifications, recordEvent } from './notifications.js'
import {
  type ParameterTypes,
  type Statement,
  anyRow,
  assigned,
  change,
  exists,
  forgetRows,
  insertion,
  replacement,
  select,
  statement,
  together,
} from './statement.js'
import { type RowIn, json, number, readRow, readRows, table, text } from './table.js'
import { useClients } from './client-row.js'
import { type Engine, type Tx, clientOf, readOn, selectOrdinal, sessionOf, verb } from './verb.js'

export const endUserSessions = table({
  name: 'end_user_sessions',
  columns: {
    cookie_hash: text(t.string),
    sid: text(t.string),
    sub: text(t.string),
    auth_time: number(EpochSeconds),
    used_at: number(t.number),
    idle_lifetime: number(t.number),
    expires_at: number(EpochSeconds),
    over_at: number(t.number),
    declined: text(t.string),
    version: number(t.number),
    proof: text(t.string),
  },
  key: ['sid'],
  sealed: 'proof',
  // End-user, cookie and lifetimes; the last use is not part of it.
  proves: ['cookie_hash', 'sid', 'sub', 'auth_time', 'idle_lifetime', 'expires_at'],
  value: (row) => {
    const { sid, sub, auth_time, used_at, idle_lifetime, expires_at, version } = row
    const clients = O.toUndefined(json(String('clients' in row ? row.clients : undefined)))
    const declined = O.toUndefined(json(row.declined))
    const columns = { sid, sub, auth_time, used_at, idle_lifetime, expires_at, version }
    return O.fromPredicate(EndUserSession.is)({ ...columns, clients, declined })
  },
  unreadable: 'an end-user session cannot be read',
})

const columnsOf = (cookie_hash: string, session: EndUserSession) => ({
  cookie_hash,
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  over_at: sessionEnd(session),
  declined: JSON.stringify(session.declined),
  version: session.version,
})

type SessionRow = RowIn<typeof endUserSessions>

const { columns } = endUserSessions
const insertSession = endUserSessions.insert()
const findOrdinal = together(select({ ordinal: t.number }, 'end_user_sessions WHERE sid = :sid', { sid: 'text' }))

// The clients are in their order as JSON: by measurement, this query takes half the time of two.
const ofSession = `
FROM session_clients AS named JOIN clients ON clients.ordinal = named.client
WHERE named.session = end_user_sessions.ordinal`
const selectSessions = <Types extends ParameterTypes>(where: string, types: Types): Statement<Types> => {
  const rows = (clients: string): string =>
    `SELECT ${Object.keys(columns).join(', ')}, (${clients}) AS clients FROM end_user_sessions WHERE ${where}`
  return statement(
    {
      sqlite: rows(`
SELECT json_group_array(json_object('client_id', client_id, 'registration_id', registration_id, 'sub', sub, 'sid', sid))
FROM (SELECT clients.client_id, clients.registration_id, named.sub, named.sid ${ofSession} ORDER BY named.place)`),
      postgresql: rows(`
SELECT coalesce(json_agg(json_build_object('client_id', clients.client_id, 'registration_id', clients.registration_id,
  'sub', named.sub, 'sid', named.sid) ORDER BY named.place), '[]')::text ${ofSession}`),
    },
    types,
    anyRow,
  )
}
const byCookie = together(selectSessions('cookie_hash = :cookie_hash', { cookie_hash: 'text' }))
const bySid = together(selectSessions('sid = :sid', { sid: 'text' }))
const bySub = selectSessions('sub = :sub ORDER BY auth_time, ordinal', { sub: 'text' })

const insertClient = insertion(
  'session_clients',
  { session: 'number', place: 'number', client: 'number', sub: 'text', sid: 'text' },
  ['session', 'place'],
)
const deleteClients = together(change('DELETE FROM session_clients WHERE session = :session', { session: 'number' }))

/**
 * Writes the clients of the session in place of those that it had. Clients of which the registration has ended are left out;
 * the others count as used. The verb relies on the clients.
 */
const writeClients = async (tx: Tx, { sid, used_at, clients }: EndUserSession): Promise<void> => {
  const [found, ...registered] = await Promise.all([
    tx.get(findOrdinal, { sid }),
    ...clients.map(async (client) => tx.get(selectOrdinal, client)),
  ])
  if (found === undefined) return
  const session = found.ordinal
  const rows = clients.flatMap((named, place) => {
    const client = registered[place]?.ordinal
    return client === undefined ? [] : [{ session, place, client, sub: named.sub, sid: named.sid }]
  })
  await tx.run(deleteClients, { session })
  await Promise.all(rows.map(async (row) => tx.run(insertClient, row)))
  const ordinals = rows.map(({ client }) => client)
  await useClients(tx, ordinals, used_at)
}

const revokeGranted = together(
  change('DELETE FROM authorizations WHERE session = :session AND (offline = 0 OR :offline = 1)', {
    session: 'text',
    offline: 'number',
  }),
)
const { texts, types } = forgetRows(
  'end_user_sessions',
  'ordinal',
  'over_at <= :at AND sid <> :sid ORDER BY over_at',
  maxForgotten.sessions,
  { at: 'number', sid: 'text' },
)
const forgetOver = statement(
  { sqlite: `${texts.sqlite} RETURNING sid`, postgresql: `${texts.postgresql} RETURNING sid` },
  types,
  t.type({ sid: t.string }),
)

const addSession = (row: SessionRow, session: EndUserSession, at: EpochSeconds, audit: AuditRow | undefined) =>
  verb({ relies: session.clients.map(clientOf) }, async (tx) => {
    // First, because one that is over may have had the same cookie.
    const over = await tx.all(forgetOver, { at, sid: session.sid })
    await Promise.all(over.map(async ({ sid }) => tx.run(revokeGranted, { session: sid, offline: 0 })))
    await tx.run(insertSession, row)
    if (session.clients.length > 0) await writeClients(tx, session)
    await tx.note(audit)
    return E.right(undefined)
  })

const findProof = together(
  select({ cookie_hash: t.string, proof: t.string }, 'end_user_sessions WHERE sid = :sid', { sid: 'text' }),
)
const replaced = {
  sub: 'text',
  auth_time: 'number',
  used_at: 'number',
  idle_lifetime: 'number',
  expires_at: 'number',
  over_at: 'number',
  declined: 'text',
  version: 'number',
  proof: 'text',
} as const
const updateSession = together(
  change(
    `
UPDATE end_user_sessions SET ${assigned(replaced)}
WHERE sid = :sid AND version = :version_read AND proof = :proof_read`,
    { sid: 'text', ...replaced, version_read: 'number', proof_read: 'text' },
  ),
)

type Replacing = {
  readonly row: SessionRow
  readonly proof_read: string
  readonly next: EndUserSession
  readonly replacing: EndUserSession
  readonly audit: AuditRow | undefined
}

const replaceSession = ({ row, proof_read, next, replacing, audit }: Replacing) => {
  // Most replacements only record a use.
  const isAlike = jsonInOrder(next.clients) === jsonInOrder(replacing.clients)
  return verb(isAlike ? {} : { relies: next.clients.map(clientOf) }, async (tx) => {
    const replaced = await tx.run(updateSession, { ...row, version_read: replacing.version, proof_read })
    if (replaced === 0) return E.left(sessionChanged)
    await tx.note(audit)
    if (!isAlike) await writeClients(tx, next)
    return E.right(undefined)
  })
}

// An unproven row must not get a proof through its replacement, because its cookie could be forged. The transaction compares
// the proven row.
const proveNext =
  (engine: Engine, encryption: Encryption) =>
  (
    next: EndUserSession,
    replacing: EndUserSession,
  ): TE.TaskEither<SessionChanged | Unavailable, Pick<Replacing, 'row' | 'proof_read'>> =>
    pipe(
      engine.get(findProof, { sid: next.sid }),
      TE.filterOrElseW(
        (stored) => stored !== undefined,
        () => sessionChanged,
      ),
      TE.tap(({ cookie_hash, proof }) =>
        pipe(
          encryption.open(proof, endUserSessions.context(columnsOf(cookie_hash, replacing))),
          TE.flatMapOption(identity, (): SessionChanged | Unavailable => sessionChanged),
        ),
      ),
      TE.flatMap(({ cookie_hash, proof: proof_read }) =>
        pipe(
          endUserSessions.seal(encryption, columnsOf(cookie_hash, next)),
          TE.map((row) => ({ row, proof_read })),
        ),
      ),
    )

export const createEndUserSessions = (engine: Engine, encryption: Encryption): EndUserSessions => {
  const read = endUserSessions.reading(encryption)
  const prove = proveNext(engine, encryption)
  return {
    addSession: (session, cookie, at, audit) =>
      pipe(
        endUserSessions.seal(encryption, columnsOf(cookie, session)),
        TE.flatMap((row) => addSession(row, session, at, audit)),
        engine.write,
      ),
    findSession: (cookie_hash) => readRow(read)(engine.get(byCookie, { cookie_hash })),
    findSessionById: (sid) => readRow(read)(engine.get(bySid, { sid })),
    listSessions: (sub) => readRows(read)(engine.all(bySub, { sub })),
    replaceSession: ({ next, replacing, audit }) =>
      pipe(
        prove(next, replacing),
        TE.flatMap((proven) => replaceSession({ ...proven, next, replacing, audit })),
        engine.write,
      ),
  }
}

const deleteSession = together(
  change('DELETE FROM end_user_sessions WHERE sid = :sid AND version = :version', { sid: 'text', version: 'number' }),
)
const storeEnding = replacement('ending_confirmations', { confirmation: 'text', remembered_until: 'number' }, [
  'confirmation',
])
// Not the one of this answer, which may have expired already.
const forgetEndings = forgetRows(
  'ending_confirmations',
  'confirmation',
  'remembered_until < :at AND confirmation <> :confirmation ORDER BY remembered_until',
  maxForgotten.endingConfirmations,
  { at: 'number', confirmation: 'text' },
)
const findEnding = exists('ending_confirmations WHERE confirmation = :confirmation', { confirmation: 'text' })

const endSession = (
  { session, notifications, notificationLimits, revokesOfflineAccess, by }: EndedSession,
  audit: AuditRow | undefined,
) =>
  verb({ changes: [sessionOf(session)], relies: notifications.map(clientOf) }, async (tx) => {
    if ((await tx.run(deleteSession, session)) === 0) return E.left(sessionChanged)
    await tx.run(revokeGranted, { session: session.sid, offline: revokesOfflineAccess ? 1 : 0 })
    const gaveWay = await writeNotifications(tx, notifications, notificationLimits)
    await recordEvent(tx, { event: 'session_ended', sid: session.sid })
    if (by !== undefined) {
      await tx.run(storeEnding, { confirmation: by.confirmation, remembered_until: by.expires_at })
      await tx.run(forgetEndings, { at: by.answered_at, confirmation: by.confirmation })
    }
    await tx.note(audit)
    return E.right({ gaveWay })
  })

export const createSessionTermination = (engine: Engine): SessionTermination => ({
  endSession: (ended, audit) => engine.write(endSession(ended, audit)),
  hasEnded: (confirmation) =>
    readOn(engine, async ({ get }) => (await get(findEnding, { confirmation })) !== undefined),
})
