import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  maxSessionClients,
  noLimits,
  secondsAfter,
  sessionChanged,
  usedSession,
  defaultNotificationLimits,
  withClient,
  type EndUserSession,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import { tokenHash } from '../arbitraries/credentials.js'
import { endUserSession } from '../arbitraries/end-user-session.js'
import {
  exampleClient,
  exampleHash,
  exampleSession,
  exampleSessionClient,
  exampleSubject,
  exampleTime,
  unstorableTexts,
} from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type StoreHandles, type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const later = secondsAfter(exampleTime, 60)
const cookieOf = (sid: string) => exampleHash(`cookie-${sid}`)

const add = (
  { endUserSessions }: StoreHandles<'endUserSessions'>,
  session: EndUserSession,
  at = exampleTime,
): Promise<void> => done(endUserSessions.addSession(session, cookieOf(session.sid), at))

const find = ({ endUserSessions }: StoreHandles<'endUserSessions'>, sid: string): Promise<O.Option<EndUserSession>> =>
  done(endUserSessions.findSession(cookieOf(sid)))

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')

/** The promises of EndUserSessions; another contract covers the removal of a client. */
export const endUserSessionsContract = (
  name: string,
  open: OpenStore<'registry' | 'endUserSessions' | 'sessionTermination'>,
): Contract => {
  const { test, tests } = collect(`EndUserSessions ${name}`)
  const it = onNewStore(test, open, async (ports) => {
    for (const id of ['a', 'b', 'c']) await done(ports.registry.addClient(exampleClient(id), O.none, noLimits))
  })

  it('a session is found by its cookie, its sid and its end-user, every member of it', async (ports) => {
    const roundTrip = fc.asyncProperty(endUserSession(['a', 'b', 'c']), tokenHash(), async (session, cookie) => {
      const { endUserSessions } = ports
      await done(endUserSessions.addSession(session, cookie, session.used_at))
      try {
        assert.equal(await done(endUserSessions.findSession(cookie)), O.some(session))
        assert.equal(await done(endUserSessions.findSessionById(session.sid)), O.some(session))
        assert.equal(await done(endUserSessions.listSessions(session.sub)), [session])
      } finally {
        await done(
          ports.sessionTermination.endSession({
            session,
            notifications: [],
            notificationLimits: defaultNotificationLimits,
            revokesOfflineAccess: false,
          }),
        )
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('names may hold every printable character of ASCII, up to 255 of them', async (ports) => {
    const short = exampleSubject(printable)
    const long = exampleSubject(printable.repeat(3).slice(-255))
    const clients = [{ ...exampleSessionClient('a'), sub: long, sid: short }]
    const session = { ...exampleSession('any'), sid: long, sub: short, clients }
    await done(ports.endUserSessions.addSession(session, cookieOf('any'), exampleTime))
    assert.equal(await find(ports, 'any'), O.some(session))
    assert.equal(await done(ports.endUserSessions.findSessionById(long)), O.some(session))
    assert.equal(await done(ports.endUserSessions.listSessions(short)), [session])
    assert.equal(await done(ports.endUserSessions.listSessions(printable.toLowerCase())), [])
  })

  it('cookies, sids and end-users of which nothing is known have none, letter case and all', async (ports) => {
    const { endUserSessions } = ports
    await add(ports, exampleSession('one'))
    assert.equal(await find(ports, 'One'), O.none)
    assert.equal(await done(endUserSessions.findSessionById('One')), O.none)
    assert.equal(await done(endUserSessions.listSessions('Zoe')), [])
    for (const text of ['', ...unstorableTexts]) {
      assert.equal(await done(endUserSessions.findSessionById(text)), O.none)
      assert.equal(await done(endUserSessions.listSessions(text)), [])
    }
  })

  it('a cookie or a sid that is taken is unavailable, and the session stays as it was', async (ports) => {
    const { endUserSessions } = ports
    const session = exampleSession('one', ['a'])
    await add(ports, session)
    const other = exampleSession('other', ['b'])
    assert.is((await refused(endUserSessions.addSession(other, cookieOf('one'), exampleTime))).error, 'unavailable')
    const same = { ...session, clients: [] }
    assert.is((await refused(endUserSessions.addSession(same, cookieOf('other'), exampleTime))).error, 'unavailable')
    assert.equal(await find(ports, 'one'), O.some(session))
    assert.equal(await done(endUserSessions.listSessions('zoe')), [session])
  })

  it("an end-user's sessions are listed, the oldest first, and nobody else's", async (ports) => {
    const at = (sid: string, seconds: number): EndUserSession => ({
      ...exampleSession(sid),
      auth_time: secondsAfter(exampleTime, seconds),
    })
    const third = at('third', 9)
    const first = at('first', 5)
    const second = at('second', 7)
    for (const session of [third, first, second]) await add(ports, session)
    await add(ports, { ...at('of-another', 6), sub: exampleSubject('max') })
    assert.equal(await done(ports.endUserSessions.listSessions('zoe')), [first, second, third])
    await done(ports.endUserSessions.replaceSession(usedSession(later)(first), first))
    assert.equal(await done(ports.endUserSessions.listSessions('zoe')), [usedSession(later)(first), second, third])
  })

  it('100 clients stand in a session, in their order', async (ports) => {
    const ids = Array.from({ length: maxSessionClients }, (_, index) => `client-${index}`)
    for (const id of [...ids].reverse()) await done(ports.registry.addClient(exampleClient(id), O.none, noLimits))
    const session = exampleSession('full', ids)
    await add(ports, session)
    assert.equal(await find(ports, 'full'), O.some(session))
    const next = withClient(exampleSessionClient('client-50'), later)(session)
    await done(ports.endUserSessions.replaceSession(next, session))
    assert.equal(await find(ports, 'full'), O.some(next))
  })

  it('clients that are not registered are left out when a session is added or replaced', async (ports) => {
    const session = exampleSession('one', ['stranger', 'a', 'nobody', 'b'])
    await add(ports, session)
    const stored = { ...session, clients: ['a', 'b'].map((id) => exampleSessionClient(id)) }
    assert.equal(await find(ports, 'one'), O.some(stored))
    const next = withClient(exampleSessionClient('stranger'), later)(stored)
    await done(ports.endUserSessions.replaceSession(next, stored))
    assert.equal(await find(ports, 'one'), O.some({ ...next, clients: stored.clients }))
  })

  it('a session is found as it was last replaced, every member of it', async (ports) => {
    const { endUserSessions, sessionTermination } = ports
    const some = endUserSession(['a', 'b', 'c'])
    const roundTrip = fc.asyncProperty(some, some, tokenHash(), async (before, after, cookie) => {
      const next = { ...after, sid: before.sid, version: before.version + 1 }
      await done(endUserSessions.addSession(before, cookie, before.used_at))
      await done(endUserSessions.replaceSession(next, before))
      assert.equal(await done(endUserSessions.findSession(cookie)), O.some(next))
      assert.equal(await done(endUserSessions.listSessions(next.sub)), [next])
      await done(
        sessionTermination.endSession({
          session: next,
          notifications: [],
          notificationLimits: defaultNotificationLimits,
          revokesOfflineAccess: true,
        }),
      )
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('clients come, go and are told anew', async (ports) => {
    const { endUserSessions } = ports
    const first = exampleSession('one', ['a', 'b'])
    await add(ports, first)
    const second = withClient({ ...exampleSessionClient('a'), sid: exampleSubject('anew') }, later)(first)
    await done(endUserSessions.replaceSession(second, first))
    const third = withClient(exampleSessionClient('c'), later)(second)
    await done(endUserSessions.replaceSession(third, second))
    assert.equal(await find(ports, 'one'), O.some(third))
    const fourth = { ...usedSession(later)(third), clients: third.clients.slice(1, 2) }
    await done(endUserSessions.replaceSession(fourth, third))
    assert.equal(await find(ports, 'one'), O.some(fourth))
  })

  it('only the version that was read is replaced', async (ports) => {
    const { endUserSessions } = ports
    const first = exampleSession('one', ['a', 'b'])
    await add(ports, first)
    await add(ports, exampleSession('other', ['a']))
    const second = usedSession(later)(first)
    await done(endUserSessions.replaceSession(second, first))
    const late = withClient(exampleSessionClient('c'), later)(first)
    assert.equal(await refused(endUserSessions.replaceSession(late, first)), sessionChanged)
    assert.equal(await find(ports, 'one'), O.some(second))
    assert.equal(await find(ports, 'other'), O.some(exampleSession('other', ['a'])))
  })

  it('a session of which nothing is known is neither replaced nor made', async (ports) => {
    const stranger = exampleSession('one', ['a'])
    assert.equal(
      await refused(ports.endUserSessions.replaceSession(usedSession(later)(stranger), stranger)),
      sessionChanged,
    )
    assert.equal(await find(ports, 'one'), O.none)
  })

  it('of 20 that replace the same version at once, by two handles, one wins', async (ports) => {
    const session = exampleSession('one')
    await add(ports, session)
    const next = Array.from({ length: 20 }, (_, index) => usedSession(secondsAfter(exampleTime, index))(session))
    const outcomes = await race(ports, next, (handle, each) => handle.endUserSessions.replaceSession(each, session))
    assert.equal(
      outcomes.filter(E.isLeft),
      Array.from({ length: 19 }, () => E.left(sessionChanged)),
    )
    assert.equal(await find(ports, 'one'), O.fromNullable(next[outcomes.findIndex(E.isRight)]))
  })

  it('a session that is over is given back until another is added, and one that is not over stays', async (ports) => {
    const lastSecond = secondsAfter(exampleTime, 600)
    const longer = { ...exampleSession('longer', ['a']), idle_lifetime: 601 }
    for (const session of [exampleSession('idle', ['a']), longer]) await add(ports, session)
    assert.equal(await find(ports, 'idle'), O.some(exampleSession('idle', ['a'])))
    await add(ports, exampleSession('next'), secondsAfter(lastSecond, -1))
    assert.equal(await find(ports, 'idle'), O.some(exampleSession('idle', ['a'])))
    await add(ports, exampleSession('another'), lastSecond)
    assert.equal(await find(ports, 'longer'), O.some(longer))
  })

  return tests
}
