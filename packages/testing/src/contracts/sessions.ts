// The sessions of end-users: their clients, their versions, and their ends. The notifications of an end are in
// notifications.ts.
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { secondsAfter } from '@clientele/domain/kernel'
import { type EndUserSession, maxSessionClients, usedSession, withClient } from '@clientele/domain/logout'
import {
  type ClientAuthorization,
  type EndingConfirmation,
  type StoragePorts,
  sessionChanged,
} from '@clientele/domain/ports'
import { contract, contracts, done, numbers, race, refused } from './contract.js'
import { registerAnew, beginSession, registerExamples } from './steps.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  noRow,
  replacement,
  unstorableTexts,
  endOf,
} from '../examples.js'

const later = secondsAfter(exampleTime, 60)
const cookieOf = (sid: string) => `cookie-${sid}`

const add = async (ports: StoragePorts, ...sessions: ReadonlyArray<EndUserSession>): Promise<void> => {
  for (const each of sessions) await done(beginSession(ports, each, cookieOf(each.sid)))
}
const find = async ({ endUserSessions }: StoragePorts, sid: string): Promise<EndUserSession | undefined> =>
  O.toUndefined(await done(endUserSessions.findSession(exampleHash(cookieOf(sid)))))
const replace = ({ endUserSessions }: StoragePorts, next: EndUserSession, read: EndUserSession) =>
  endUserSessions.replaceSession(replacement(next, read))

const registerClients = (ports: StoragePorts): Promise<void> => registerExamples(ports, 'a', 'b', 'c', 'd')

const keeping = contract(
  'Sessions',
  (it) => {
    it('cookies, sids and end-users that no store can hold have none', async ({ endUserSessions }) => {
      for (const text of ['', ...unstorableTexts]) {
        assert.equal(await done(endUserSessions.findSessionById(text)), O.none)
        assert.equal(await done(endUserSessions.listSessions(text)), [])
      }
    })

    it('a cookie or a sid that is taken is unavailable, and the session stays as it was', async (ports) => {
      const { endUserSessions } = ports.other
      const session = exampleSession('one', ['a'])
      await add(ports, session)
      for (const [each, cookie] of [
        [exampleSession('other', ['b']), 'one'],
        [{ ...session, clients: [] }, 'other'],
      ] as const)
        assert.is((await refused(beginSession(ports.other, each, cookieOf(cookie)))).error, 'unavailable')
      assert.equal(await find(ports, 'one'), session)
      assert.equal(await done(endUserSessions.listSessions('zoe')), [session])
    })

    it('a session takes the cookie of one that is over', async (ports) => {
      const over = exampleSession('over')
      const next = exampleSession('next')
      await add(ports, over)
      const at = secondsAfter(exampleTime, over.idle_lifetime)
      const early = beginSession(ports, next, cookieOf('over'), secondsAfter(at, -1))
      assert.is((await refused(early)).error, 'unavailable')
      await done(beginSession(ports.other, { ...next, used_at: at }, cookieOf('over'), at))
      assert.is((await find(ports, 'over'))?.sid, 'next')
    })

    it("an end-user's sessions are listed, the oldest first, and nobody else's", async (ports) => {
      const begun = (sid: string, seconds: number): EndUserSession => ({
        ...exampleSession(sid),
        auth_time: secondsAfter(exampleTime, seconds),
      })
      const first = begun('first', 5)
      const second = begun('second', 7)
      const third = begun('third', 9)
      await add(ports, third, first, { ...begun('of-another', 6), sub: exampleSubject('max') }, second)
      assert.equal(await done(ports.other.endUserSessions.listSessions('zoe')), [first, second, third])
      await done(replace(ports, usedSession(later)(first), first))
      assert.equal(await done(ports.other.endUserSessions.listSessions('zoe')), [
        usedSession(later)(first),
        second,
        third,
      ])
    })

    it('100 clients stand in a session, in their order', async (ports) => {
      const ids = numbers(maxSessionClients).map((nth) => `client-${nth}`)
      await registerExamples(ports, ...[...ids].reverse())
      const session = exampleSession('full', ids)
      await add(ports, session)
      assert.equal(await find(ports, 'full'), session)
      const next = withClient(exampleSessionClient('client-50'), later)(session)
      await done(replace(ports, next, session))
      assert.equal(await find(ports.other, 'full'), next)
    })
  },
  registerClients,
)

const session = exampleSession('one', ['a', 'b', 'c'])

const removing = contract(
  'Sessions of clients that are removed',
  (it) => {
    it('a client drops out with its registration, for good, also where the session was read before', async (ports) => {
      const without = (each: EndUserSession): EndUserSession => ({
        ...each,
        clients: each.clients.filter(({ client_id }) => client_id !== 'b'),
      })
      await registerAnew(ports, 'b')
      for (const handle of [ports, ports.other]) assert.equal(await find(handle, 'one'), without(session))
      const next = withClient(exampleSessionClient('d'), later)(session)
      await done(replace(ports.other, next, session))
      assert.equal(await find(ports, 'one'), without(next))
      const touched = usedSession(later)(next)
      await done(replace(ports, touched, next))
      assert.equal(await find(ports.other, 'one'), without(touched))
    })

    it('of sign-ins while a client is removed and registered again, by two handles, none is found afterwards', async (ports) => {
      const joined = withClient(exampleSessionClient('d'), later)(session)
      const signIns = race(ports, numbers(20), (handle) => replace(handle, joined, session))
      await Promise.all([signIns, registerAnew(ports.other, 'd')])
      assert.equal((await find(ports, 'one'))?.clients, session.clients)
    })
  },
  async (ports) => {
    await registerClients(ports)
    await add(ports, session)
  },
)

const ofOneUser = exampleSession('other', ['a'])
const ofAnother = { ...exampleSession('One'), sub: exampleSubject('max') }
const notifications = [exampleNotification('to-b', 'b'), exampleNotification('to-a', 'a')]
const owed = notifications.map((notification) => ({
  ...notification,
  attempts: 0,
  due_at: exampleTime,
  failed: false,
  note: '',
}))
const ended = endOf(session, { notifications })

const granted = (text: string, given: Partial<ClientAuthorization>): ClientAuthorization => ({
  ...exampleAuthorization(exampleClient('a'), text),
  ...given,
})
const online = granted('online', { session: 'one', kind: 'access_token' })
const stored = [
  granted('offline', { session: 'one', offline: true }),
  granted('of-other', { session: 'other' }),
  granted('of-none', {}),
  granted('case', { session: 'One' }),
]

const present = async (ports: StoragePorts): Promise<unknown> => {
  const found = [online, ...stored].map(({ kind, hash }) => done(ports.authorizations.findAuthorization(kind, hash)))
  return {
    sessions: await done(ports.endUserSessions.listSessions('zoe')),
    owed: await done(ports.pendingNotifications.listNotifications(100)),
    granted: (await Promise.all(found)).flatMap((each) => (O.isSome(each) ? [each.value] : [])),
  }
}

const untouched = { sessions: [session, ofOneUser], owed: [], granted: [online, ...stored] }
const signedOut = { sessions: [ofOneUser], owed, granted: stored }

const ending = contract(
  'Ends of sessions',
  (it) => {
    it('a session ends once, in the version that was read: it is gone with what it granted online, and its notices are owed', async (ports) => {
      const { sessionTermination, other } = ports
      const next = usedSession(later)(session)
      await done(replace(ports, next, session))
      const stranger = { ...ended, session: exampleSession('stranger') }
      for (const each of [ended, stranger])
        assert.equal(await refused(other.sessionTermination.endSession(each, noRow)), sessionChanged)
      assert.equal(await present(ports), { ...untouched, sessions: [next, ofOneUser] })
      await done(sessionTermination.endSession({ ...ended, session: next }, noRow))
      for (const handle of [ports, other]) assert.equal(await present(handle), signedOut)
      for (const each of [ended, { ...ended, session: next }])
        assert.equal(await refused(other.sessionTermination.endSession(each, noRow)), sessionChanged)
      assert.equal(await present(ports), signedOut)
    })

    it('when a notice cannot be kept nothing ends', async (ports) => {
      const { sessionTermination } = ports
      const same = exampleNotification('same', 'a')
      await done(sessionTermination.endSession(endOf(ofOneUser, { notifications: [same] }), noRow))
      const before = await present(ports)
      const colliding = endOf(session, { notifications: [...notifications, { ...same, ...exampleSessionClient('b') }] })
      assert.is((await refused(sessionTermination.endSession(colliding, noRow))).error, 'unavailable')
      assert.equal(await present(ports.other), before)
    })

    it('the page that ended a session is remembered, and no other; those that had expired may be forgotten', async (ports) => {
      const { sessionTermination, other } = ports
      const page = (name: string, answered: number): EndingConfirmation => ({
        confirmation: exampleHash(name),
        answered_at: secondsAfter(exampleTime, answered),
        expires_at: secondsAfter(exampleTime, answered + 300),
      })
      const hasEnded = (...names: ReadonlyArray<string>) =>
        Promise.all(names.map((name) => done(other.sessionTermination.hasEnded(exampleHash(name)))))
      const stranger = endOf(exampleSession('stranger'), { by: page('page', 0) })
      assert.equal(await refused(sessionTermination.endSession(stranger, noRow)), sessionChanged)
      assert.equal(await hasEnded('page'), [false])
      await done(sessionTermination.endSession(endOf(session, { by: page('page', 0) }), noRow))
      assert.equal(await hasEnded('page', 'Page'), [true, false])
      await done(sessionTermination.endSession(endOf(ofOneUser, { by: page('next', 300) }), noRow))
      assert.equal(await hasEnded('page', 'next'), [true, true])
      await done(sessionTermination.endSession(endOf(ofAnother, { by: page('last', 301) }), noRow))
      assert.equal(await hasEnded('page', 'next'), [false, true])
    })
  },
  async (ports) => {
    await registerClients(ports)
    await add(ports, session, ofOneUser, ofAnother)
    for (const each of [online, ...stored]) await done(ports.authorizations.recordAuthorization(each, exampleTime))
  },
)

/** The promises of EndUserSessions and SessionTermination. */
export const sessionsContract = contracts(keeping, removing, ending)
