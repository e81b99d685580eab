import * as O from 'fp-ts/lib/Option.js'
import {
  noLimits,
  secondsAfter,
  unknownClient,
  usedSession,
  defaultNotificationLimits,
  withClient,
  type EndUserSession,
} from '@clientele/domain'
import * as assert from 'uvu/assert'
import {
  exampleClient,
  exampleHash,
  exampleId,
  exampleNotification,
  exampleSession,
  exampleSessionClient,
  exampleTime,
  updatedExample,
} from '../examples/examples.js'
import { type StoreHandles, type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore } from './contract.js'

const later = secondsAfter(exampleTime, 60)
const claim = { holder: 'instance', until: secondsAfter(exampleTime, 120) }
const session = exampleSession('one', ['a', 'b', 'c'])
const without = (each: EndUserSession, id: string): EndUserSession => ({
  ...each,
  clients: each.clients.filter(({ client_id }) => client_id !== id),
})
const notifications = ['a', 'b', 'c'].map((id) => exampleNotification(`to-${id}`, id))

const find = ({ endUserSessions }: StoreHandles<'endUserSessions'>): Promise<O.Option<EndUserSession>> =>
  done(endUserSessions.findSession(exampleHash('cookie')))
const owed = async ({ pendingNotifications }: StoreHandles<'pendingNotifications'>): Promise<ReadonlyArray<string>> =>
  (await done(pendingNotifications.listNotifications(100))).map(({ id }) => id)

/** Registers another client with the same id. */
const registerAnew = async ({ registry }: StoreHandles<'registry'>, id: string): Promise<void> => {
  await done(registry.removeClient(exampleId(id), O.none))
  await done(registry.addClient(exampleClient(id, 'second'), O.none, noLimits))
}

/** The promises of EndUserSessions, Logouts and PendingNotifications about the removal of a client. */
export const logoutRemovalContract = (
  name: string,
  open: OpenStore<'registry' | 'endUserSessions' | 'sessionTermination' | 'pendingNotifications'>,
): Contract => {
  const { test, tests } = collect(`Sessions and notices of removed clients ${name}`)
  const it = onNewStore(test, open, async (ports) => {
    for (const id of ['a', 'b', 'c', 'd']) await done(ports.registry.addClient(exampleClient(id), O.none, noLimits))
    await done(ports.endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
  })

  it('a removed client drops out of the session, for good, and the session stays', async (ports) => {
    await done(ports.registry.removeClient(exampleId('b'), O.none))
    assert.equal(await find(ports), O.some(without(session, 'b')))
    await done(ports.registry.addClient(exampleClient('b', 'second'), O.none, noLimits))
    assert.equal(await find(ports), O.some(without(session, 'b')))
    assert.equal(await done(ports.endUserSessions.findSessionById('one')), O.some(without(session, 'b')))
    assert.equal(await done(ports.endUserSessions.listSessions('zoe')), [without(session, 'b')])
  })

  it('a session of which all clients are removed stays', async (ports) => {
    for (const id of ['a', 'b', 'c']) await done(ports.registry.removeClient(exampleId(id), O.none))
    assert.equal(await find(ports), O.some({ ...session, clients: [] }))
  })

  it('a client that is replaced, or whose removal is refused, stays', async (ports) => {
    const next = updatedExample(exampleClient('a'))
    await done(ports.registry.replaceClient(next, exampleClient('a')))
    assert.equal(
      await refused(ports.registry.removeClient(exampleId('a'), O.some(exampleHash('no-token')))),
      unknownClient,
    )
    assert.equal(await find(ports), O.some(session))
  })

  it('who read the session before the removal replaces it without the client', async (ports) => {
    await done(ports.registry.removeClient(exampleId('b'), O.none))
    const next = withClient(exampleSessionClient('d'), later)(session)
    await done(ports.endUserSessions.replaceSession(next, session))
    assert.equal(await find(ports), O.some(without(next, 'b')))
  })

  it('a client by the same id as a removed one is not the one that was read', async (ports) => {
    await registerAnew(ports, 'b')
    const next = withClient(exampleSessionClient('d'), later)(session)
    await done(ports.endUserSessions.replaceSession(next, session))
    assert.equal(await find(ports), O.some(without(next, 'b')))
    const touched = usedSession(later)(next)
    await done(ports.endUserSessions.replaceSession(touched, next))
    assert.equal(await find(ports), O.some(without(touched, 'b')))
  })

  it('a client by the same id may sign the end-user in for itself', async (ports) => {
    await registerAnew(ports, 'b')
    const read = without(session, 'b')
    const next = withClient(exampleSessionClient('b', 'second'), later)(read)
    await done(ports.endUserSessions.replaceSession(next, read))
    assert.equal(await find(ports), O.some(next))
  })

  it('a removed client is owed nothing any more, even if its id is used again', async (ports) => {
    await done(
      ports.sessionTermination.endSession({
        session,
        notifications,
        notificationLimits: defaultNotificationLimits,
        revokesOfflineAccess: false,
      }),
    )
    await done(ports.pendingNotifications.claimDue(exampleTime, claim, 100))
    const inVain = { id: 'to-c', kind: 'failed', attempts: 9, due_at: later, note: 'in vain' } as const
    await done(ports.pendingNotifications.recordTries(claim.holder, [inVain]))
    assert.equal(await owed(ports), ['to-a', 'to-b', 'to-c'])
    for (const id of ['b', 'c']) await registerAnew(ports, id)
    assert.equal(await owed(ports), ['to-a'])
    assert.is(await done(ports.pendingNotifications.retryNotifications(O.none, later)), 0)
    assert.equal(
      (await done(ports.pendingNotifications.claimDue(later, claim, 100))).map(({ id }) => id),
      ['to-a'],
    )
    await done(ports.registry.removeClient(exampleId('a'), O.none))
    assert.equal(await done(ports.pendingNotifications.nextDue(later, claim.holder)), O.none)
  })

  it('notices of clients that were removed since the session was read are passed over', async (ports) => {
    await done(ports.registry.removeClient(exampleId('a'), O.none))
    await registerAnew(ports, 'b')
    const stray = exampleNotification('stray', 'never-registered')
    const ended = {
      session,
      notifications: [...notifications, stray],
      notificationLimits: defaultNotificationLimits,
      revokesOfflineAccess: false,
    }
    await done(ports.sessionTermination.endSession(ended))
    assert.equal(await owed(ports), ['to-c'])
    assert.equal(await find(ports), O.none)
  })

  return tests
}
