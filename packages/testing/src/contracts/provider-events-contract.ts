import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { noLimits, type ProviderEvent, defaultNotificationLimits } from '@clientele/domain'
import { exampleClient, exampleHash, exampleId, exampleSession, exampleTime } from '../examples/examples.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused, type StoreHandle, type StoreHandles } from './open-store.js'

type Used = 'registry' | 'endUserSessions' | 'sessionTermination' | 'providerEvents'

const session = exampleSession('one')

const prepare = async ({ registry, endUserSessions }: Pick<StoreHandle, Used>): Promise<void> => {
  for (const id of ['a', 'b']) await done(registry.addClient(exampleClient(id), O.none, noLimits))
  await done(endUserSessions.addSession(session, exampleHash('cookie'), exampleTime))
}

const endedSession = {
  session,
  notifications: [],
  notificationLimits: defaultNotificationLimits,
  revokesOfflineAccess: false,
}

const deleted = (client_id: string): ProviderEvent => ({
  event: 'client_deleted',
  client_id,
  registration_id: exampleClient(client_id).registration_id,
})

const eventsOf = async ({ providerEvents }: Pick<StoreHandle, 'providerEvents'>, after = 0) =>
  (await done(providerEvents.listEvents(after, 100))).events.map(({ event }) => event)

/** The promises of ProviderEvents. */
export const providerEventsContract = (name: string, open: OpenStore<Used>): Contract => {
  const { test, tests } = collect(`ProviderEvents ${name}`)
  const it = onNewStore(test, open, prepare)

  const deleteBoth = async (ports: StoreHandles<Used>): Promise<void> => {
    await done(ports.registry.removeClient(exampleId('a'), O.none))
    await done(ports.other.registry.removeClient(exampleId('b'), O.none))
  }

  it('a deleted client and an ended session are told in their order, by both handles', async (ports) => {
    assert.equal(await eventsOf(ports), [])
    await done(ports.registry.removeClient(exampleId('a'), O.none))
    await done(ports.other.sessionTermination.endSession(endedSession))
    const reported = [deleted('a'), { event: 'session_ended', sid: 'one' }]
    assert.equal(await eventsOf(ports), reported)
    assert.equal(await eventsOf(ports.other), reported)
  })

  it('what is refused, and what is registered and stored, is no event', async (ports) => {
    await refused(ports.registry.removeClient(exampleId('a'), O.some(exampleHash('another-token'))))
    await refused(ports.registry.removeClient(exampleId('stranger'), O.none))
    await refused(ports.sessionTermination.endSession({ ...endedSession, session: exampleSession('stranger') }))
    assert.equal(await eventsOf(ports), [])
  })

  it('events are listed after a position, so many at most, and the latest position is that of the last', async (ports) => {
    assert.is(await done(ports.providerEvents.latestPosition), 0)
    await deleteBoth(ports)
    const { events, position } = await done(ports.providerEvents.listEvents(0, 100))
    const [first, second, ...more] = events
    if (first === undefined || second === undefined) throw new Error('two events were written')
    assert.equal(more, [])
    assert.ok(first.position < second.position)
    assert.is(position, second.position)
    const page = { events: [first], position: first.position, forgotten: false }
    assert.equal(await done(ports.other.providerEvents.listEvents(0, 1)), page)
    assert.equal(await done(ports.providerEvents.listEvents(position, 1)), { events: [], position, forgotten: false })
    assert.equal(await eventsOf(ports, first.position), [deleted('b')])
    assert.equal(await eventsOf(ports, second.position), [])
    assert.is(await done(ports.other.providerEvents.latestPosition), second.position)
  })

  it('of removals at once by two handles each client is told once', async (ports) => {
    const ids = ['a', 'b', 'a', 'b', 'a', 'b']
    await race(ports, ids, ({ registry }, id) => registry.removeClient(exampleId(id), O.none))
    const reported = await eventsOf(ports)
    assert.equal(new Set(reported.map((event) => JSON.stringify(event))).size, 2)
    assert.is(reported.length, 2)
  })

  return tests
}
