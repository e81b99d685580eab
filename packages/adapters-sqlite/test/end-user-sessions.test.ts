import { secondsAfter, unavailable } from '@clientele/domain/kernel'
import { defaultNotificationLimits, usedSession } from '@clientele/domain/logout'
import {
  done,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  refused,
  noRow,
} from '@clientele/testing'
import * as O from 'fp-ts/lib/Option.js'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { beside } from './support/beside.js'
import { another, cookieOf, ended, session, signIn } from './support/signed-in.js'
import { inFolder, opened } from './support/temporary-store.js'

const sessions = suite('end-user sessions in SQLite')

const spoilt: Readonly<Record<string, string>> = {
  'a sub that is none': "UPDATE end_user_sessions SET sub = 'Zoë' || substr(sub, 4) WHERE sid = 'one'",
  'an empty sub': "UPDATE end_user_sessions SET sub = '' WHERE sid = 'one'",
  'a time before time': "UPDATE end_user_sessions SET auth_time = -1 WHERE sid = 'one'",
  'a time beyond all times': "UPDATE end_user_sessions SET expires_at = 9007199254740993 WHERE sid = 'one'",
  'a client that calls the end-user by no name': "UPDATE session_clients SET sub = '' WHERE sub = 'sub at b'",
  'a client that calls the session by no name': "UPDATE session_clients SET sid = 'Zoë\n' WHERE sub = 'sub at a'",
  'a client of no id': "UPDATE clients SET client_id = 'no id, Zoë' WHERE client_id = 'a'",
}

/** The columns that are named, where their values are none. */
const named: Readonly<Record<string, string>> = {
  'a time before time': ': auth_time',
  'a time beyond all times': ': expires_at',
}

for (const [what, statement] of Object.entries(spoilt))
  sessions(
    `a session with ${what} is unavailable, without what it holds, and hurts no other`,
    inFolder(async (file) => {
      const store = await opened(file)
      const { endUserSessions } = store
      await signIn(store)
      assert.is(
        beside(file, (db) => db.prepare(statement).run().changes),
        1,
      )
      for (const find of [endUserSessions.findSession(cookieOf('one')), endUserSessions.findSessionById('one')])
        assert.equal(await refused(find), unavailable(`an end-user session cannot be read${named[what] ?? ''}`))
      assert.equal(await done(endUserSessions.findSession(cookieOf('another'))), O.some(another))
      assert.equal(await done(endUserSessions.listSessions('max')), [another])
      await store.close()
    }),
  )

sessions(
  'a session that was read before is told as it stands in the file, whoever wrote there',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const find = (): Promise<unknown> => done(store.endUserSessions.findSession(cookieOf('one')))
    assert.equal([await find(), await find()], [O.some(session), O.some(session)])
    beside(file, (db) => db.exec("UPDATE end_user_sessions SET used_at = used_at + 1 WHERE sid = 'one'"))
    assert.equal(await find(), O.some({ ...session, used_at: secondsAfter(session.used_at, 1) }))
    beside(file, (db) => db.exec("DELETE FROM clients WHERE client_id = 'a'"))
    const left = session.clients.filter(({ client_id }) => client_id !== 'a')
    assert.ok(left.length < session.clients.length)
    assert.equal(await find(), O.some({ ...session, used_at: secondsAfter(session.used_at, 1), clients: left }))
    beside(file, (db) => db.exec("DELETE FROM end_user_sessions WHERE sid = 'one'"))
    assert.equal([await find(), await find()], [O.none, O.none])
    await store.close()
  }),
)

sessions(
  'of sessions of which one cannot be read none is listed, and the one that can be is found',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const second = exampleSession('second')
    await done(store.endUserSessions.addSession(second, cookieOf('second'), exampleTime, noRow))
    beside(file, (db) => db.exec("UPDATE end_user_sessions SET used_at = -1 WHERE sid = 'one'"))
    const refusal = await refused(store.endUserSessions.listSessions('zoe'))
    assert.equal(refusal, unavailable('an end-user session cannot be read'))
    assert.equal(await done(store.endUserSessions.findSession(cookieOf('second'))), O.some(second))
    await store.close()
  }),
)

sessions(
  'a session that cannot be read can be replaced and ended all the same',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    beside(file, (db) => db.exec("UPDATE end_user_sessions SET auth_time = -1; UPDATE session_clients SET sub = ''"))
    const next = { ...usedSession(exampleTime)(session), clients: [exampleSessionClient('c')] }
    await done(store.endUserSessions.replaceSession({ next, replacing: session, audit: noRow }))
    assert.equal(await done(store.endUserSessions.findSession(cookieOf('one'))), O.some(next))
    await done(store.sessionTermination.endSession({ ...ended, session: another, notifications: [] }, noRow))
    assert.equal(await done(store.endUserSessions.findSession(cookieOf('another'))), O.none)
    await store.close()
  }),
)

sessions(
  'sessions are what they were after the store was closed and opened again',
  inFolder(async (file) => {
    const before = await opened(file)
    await signIn(before)
    await before.close()
    const store = await opened(file, { expectExisting: true })
    assert.equal(await done(store.endUserSessions.findSession(cookieOf('one'))), O.some(session))
    assert.equal(await done(store.endUserSessions.listSessions('max')), [another])
    await store.close()
  }),
)

const count = (file: string, table: string): unknown =>
  beside(file, (db) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get())

sessions(
  'a sign-in forgets sessions that are over, those that ended first before others and twenty at most',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const { addSession, findSession } = store.endUserSessions
    const ending = Array.from({ length: 30 }, (_, index) => ({
      ...exampleSession(`over-${index}`, ['a']),
      idle_lifetime: 1 + ((index * 7) % 30),
    }))
    await Promise.all(ending.map((each) => done(addSession(each, cookieOf(each.sid), exampleTime, noRow))))
    assert.is(count(file, 'end_user_sessions'), 32)
    await done(addSession(exampleSession('next'), cookieOf('next'), secondsAfter(exampleTime, 30), noRow))
    assert.is(count(file, 'end_user_sessions'), 13)
    assert.is(count(file, 'session_clients'), 13)
    for (const each of ending) assert.is(O.isSome(await done(findSession(cookieOf(each.sid)))), each.idle_lifetime > 20)
    await done(addSession(exampleSession('last'), cookieOf('last'), secondsAfter(exampleTime, 30), noRow))
    assert.is(count(file, 'end_user_sessions'), 4)
    assert.equal(await done(findSession(cookieOf('one'))), O.some(session))
    await store.close()
  }),
)

sessions(
  'a session that is used lives on, and one that reached its end is forgotten however much it was used',
  inFolder(async (file) => {
    const store = await opened(file)
    await signIn(store)
    const { addSession, findSession, replaceSession } = store.endUserSessions
    const later = usedSession(secondsAfter(exampleTime, 3500))(session)
    await done(replaceSession({ next: later, replacing: session, audit: noRow }))
    await done(addSession(exampleSession('next'), cookieOf('next'), secondsAfter(exampleTime, 3599), noRow))
    assert.equal(await done(findSession(cookieOf('one'))), O.some(later))
    assert.equal(await done(findSession(cookieOf('another'))), O.none)
    await done(addSession(exampleSession('last'), cookieOf('last'), secondsAfter(exampleTime, 3600), noRow))
    assert.equal(await done(findSession(cookieOf('one'))), O.none)
    await store.close()
  }),
)

sessions(
  'no cookie is in the file or its log, nor, once a session has ended and its notices are delivered, who it was',
  inFolder(async (file) => {
    const cookie = 'the value of the cookie'
    const hash = exampleHash(createHash('sha256').update(cookie).digest('base64url'))
    const store = await opened(file)
    await signIn(store)
    const short = { ...exampleSession('short-lived', ['a']), sub: exampleSubject('short-of-life') }
    await done(store.endUserSessions.addSession(short, hash, exampleTime, noRow))
    const notifications = [{ ...exampleNotification('briefly-owed', 'a'), sub: short.sub, sid: short.sid }]
    assert.ok(readFileSync(`${file}-wal`).includes('short-of-life'), 'the log holds the session')
    await done(
      store.sessionTermination.endSession(
        {
          session: short,
          notifications,
          notificationLimits: defaultNotificationLimits,
          revokesOfflineAccess: true,
        },
        noRow,
      ),
    )
    for (const each of [file, `${file}-wal`])
      for (const encoding of ['utf8', 'base64url', 'hex'] as const)
        assert.not.ok(readFileSync(each).includes(Buffer.from(cookie).toString(encoding)))
    const claim = { holder: 'instance', until: secondsAfter(exampleTime, 60) }
    await done(store.pendingNotifications.claimDue(exampleTime, claim, 1))
    await done(store.pendingNotifications.recordTries(claim.holder, [{ id: 'briefly-owed', kind: 'delivered' }]))
    await store.close()
    const bytes = readFileSync(file)
    for (const text of ['short-of-life', 'briefly-owed', hash, cookie]) assert.not.ok(bytes.includes(text))
    assert.ok(bytes.includes('zoe'), 'the file holds the sessions of others')
  }),
)

sessions.run()
