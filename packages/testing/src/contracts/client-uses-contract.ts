import {
  clientSuspended,
  noLimits,
  registeredBefore,
  registryFull,
  resumedClient,
  secondsAfter,
  suspendedClient,
  useTime,
  useUnit,
  type RegisteredClient,
  type Registration,
  type Tombstone,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleSession,
  exampleTime,
} from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandle, done, listed, refused } from './open-store.js'

type Names = 'registry' | 'clientUses' | 'authorizations' | 'endUserSessions' | 'providerEvents'

const open = (id: string, after = 0): RegisteredClient => ({
  ...exampleClient(id),
  registered_by: 'nobody',
  client_id_issued_at: secondsAfter(exampleTime, after),
})
const namesOf = ({ client_id, registration_id }: RegisteredClient): Registration => ({ client_id, registration_id })
const tombstoneOf = (id: string): Tombstone => ({
  id: exampleHash(`tombstone-${id}`),
  until: secondsAfter(exampleTime, 100),
})
const add = (
  { registry }: Pick<StoreHandle, 'registry'>,
  ...clients: ReadonlyArray<RegisteredClient>
): Promise<ReadonlyArray<void>> =>
  Promise.all(clients.map((client) => done(registry.addClient(client, O.none, noLimits))))
const lastUseOf = async ({ clientUses }: Pick<StoreHandle, 'clientUses'>, id: string): Promise<number | undefined> =>
  (await done(clientUses.findUses([exampleId(id)])))[0]?.last_use

const day = useTime(exampleTime)

/** The promises of ClientUses, and of suspended clients. */
export const clientUsesContract = (name: string, openStore: OpenStore<Names>): Contract => {
  const { test, tests } = collect(`ClientUses ${name}`)
  const it = onNewStore<Names>(test, openStore)

  it('a use is stored by its day, and only the latest day', async (ports) => {
    const client = open('a')
    await add(ports, client, open('b'))
    assert.is(await lastUseOf(ports, 'a'), undefined)
    for (const [after, expected] of [
      [0, day],
      [useUnit, day + useUnit],
      [0, day + useUnit],
    ] as const) {
      await done(ports.clientUses.recordUse(namesOf(client), secondsAfter(exampleTime, after)))
      assert.is(await lastUseOf(ports.other, 'a'), expected)
    }
    assert.is(await lastUseOf(ports, 'b'), undefined)
  })

  it('of an ended registration no use is stored, also if the id is registered again', async (ports) => {
    await add(ports, open('a'))
    await done(ports.registry.removeClient(exampleId('a'), O.none))
    await add(ports, { ...exampleClient('a', 'second'), registered_by: 'nobody' })
    await done(ports.clientUses.recordUse(namesOf(open('a')), exampleTime))
    assert.is(await lastUseOf(ports, 'a'), undefined)
    assert.equal(await done(ports.clientUses.findUses([exampleId('none')])), [])
  })

  it('an authorization and a session are uses', async (ports) => {
    await add(ports, open('a'), open('b'))
    await done(ports.authorizations.recordAuthorization(exampleAuthorization(open('a'), 'refresh'), exampleTime))
    await done(ports.endUserSessions.addSession(exampleSession('one', ['b']), exampleHash('cookie'), exampleTime))
    assert.equal([await lastUseOf(ports, 'a'), await lastUseOf(ports, 'b')], [day, day])
  })

  it('an update of a client keeps its use', async (ports) => {
    const client = open('a')
    await add(ports, client)
    await done(ports.clientUses.recordUse(namesOf(client), exampleTime))
    await done(ports.registry.replaceClient({ ...client, version: 2 }, client))
    assert.is(await lastUseOf(ports, 'a'), day)
  })

  it('the oldest unused open clients are parked, and leave the limit; a use takes one back', async (ports) => {
    const { registry, clientUses } = ports
    for (const client of [open('a'), exampleClient('by-token'), open('b', 10), open('c', 20)]) await add(ports, client)
    await done(clientUses.recordUse(namesOf(open('a')), exampleTime))
    const limits = { ...noLimits, unusedOpenClients: 2 }
    assert.equal(await refused(registry.addClient(open('d', 30), O.none, limits)), registryFull)
    assert.is(await done(clientUses.parkUnused(secondsAfter(exampleTime, 15), 10)), 1)
    assert.equal(await done(clientUses.listParked(secondsAfter(exampleTime, 15), 10)), [namesOf(open('b'))])
    assert.equal(await done(clientUses.listParked(secondsAfter(exampleTime, 5), 10)), [])
    await done(registry.addClient(open('d', 30), O.none, limits))
    await done(clientUses.recordUse(namesOf(open('b')), exampleTime))
    assert.equal(await done(clientUses.listParked(secondsAfter(exampleTime, 15), 10)), [])
    assert.is(await done(clientUses.removeParked(namesOf(open('b')), tombstoneOf('b'))), false)
  })

  it('no more are parked or listed than the maximum', async (ports) => {
    for (const id of ['a', 'b', 'c']) await add(ports, open(id))
    assert.is(await done(ports.clientUses.parkUnused(exampleTime, 2)), 2)
    assert.is(await done(ports.clientUses.parkUnused(exampleTime, 2)), 1)
    assert.is(await done(ports.clientUses.parkUnused(exampleTime, 2)), 0)
    assert.equal(await done(ports.clientUses.listParked(exampleTime, 2)), [namesOf(open('a')), namesOf(open('b'))])
  })

  it('a parked client is removed once, with an event and a tombstone that is forgotten in time', async (ports) => {
    const { clientUses, providerEvents } = ports
    await add(ports, open('a'))
    const before = await done(providerEvents.latestPosition)
    assert.is(await done(clientUses.removeParked(namesOf(open('a')), tombstoneOf('a'))), false)
    await done(clientUses.parkUnused(exampleTime, 10))
    const outcomes = await race(ports, [1, 2, 3, 4], (handle) =>
      handle.clientUses.removeParked(namesOf(open('a')), tombstoneOf('a')),
    )
    assert.equal(outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length, 1)
    assert.equal(await listed(ports.registry), [])
    assert.is((await done(providerEvents.listEvents(before, 10))).events.length, 1)
    const { id, until } = tombstoneOf('a')
    assert.is(await done(ports.other.clientUses.isRemembered(id, exampleTime)), true)
    assert.is(await done(clientUses.isRemembered(id, until)), false)
    assert.is(await done(clientUses.isRemembered(tombstoneOf('b').id, exampleTime)), false)
  })

  it('any removal leaves the tombstone that it is given, and a later one replaces it', async (ports) => {
    const { id, until } = tombstoneOf('a')
    for (const each of [until, secondsAfter(until, 50)]) {
      await add(ports, open('a'))
      await done(ports.registry.removeClient(exampleId('a'), O.none, { id, until: each }))
    }
    assert.is(await done(ports.clientUses.isRemembered(id, until)), true)
  })

  it('a suspended client is read as such, is not parked or removed, and does not remove itself', async (ports) => {
    const { registry, clientUses } = ports
    const client = open('a')
    const suspended = suspendedClient(exampleTime)(client)
    await add(ports, client, open('b'))
    await done(registry.replaceClient(suspended, client))
    assert.equal(await done(ports.other.registry.findClient(client.client_id)), O.some(suspended))
    const { hash } = client.registration_access_token
    assert.equal(await refused(registry.removeClient(client.client_id, O.some(hash))), clientSuspended)
    assert.is(
      (await refused(registry.removeClient(client.client_id, O.some(exampleHash('none'))))).error,
      'unknown_client',
    )
    assert.is(await done(clientUses.parkUnused(exampleTime, 10)), 1)
    const resumed = resumedClient(suspended)
    await done(registry.replaceClient(resumed, suspended))
    assert.equal(await done(registry.findClient(client.client_id)), O.some(resumed))
    assert.is(await done(clientUses.parkUnused(exampleTime, 10)), 1)
    await done(registry.replaceClient(suspendedClient(exampleTime)(resumed), resumed))
    assert.is(await done(clientUses.removeParked(namesOf(client), tombstoneOf('a'))), false)
    await done(registry.removeClient(client.client_id, O.none))
  })

  it('an import stores a suspension and its end, as any replacement does', async ({ registry }) => {
    const client = open('a')
    const suspended = suspendedClient(exampleTime)(client)
    await done(registry.importClients([{ client, replacing: undefined }]))
    for (const [next, replacing] of [
      [suspended, client],
      [resumedClient(suspended), suspended],
    ] as const) {
      await done(registry.importClients([{ client: next, replacing }]))
      assert.equal(await done(registry.findClient(client.client_id)), O.some(next))
    }
  })

  it('an unused open client is found by its fingerprint, which no other one can have', async (ports) => {
    const { registry, clientUses } = ports
    const print = exampleHash('print')
    const limits = { ...noLimits, unusedOpenClients: 1 }
    await done(registry.addClient(open('a'), O.none, limits, print))
    assert.equal(await refused(registry.addClient(open('b'), O.none, noLimits, print)), registeredBefore)
    assert.equal(await refused(registry.addClient(open('b'), O.none, limits, print)), registeredBefore)
    assert.equal(await done(ports.other.clientUses.findUnused(print)), O.some(open('a')))
    assert.equal(await done(clientUses.findUnused(exampleHash('other'))), O.none)
    await done(registry.addClient(exampleClient('by-token'), O.none, noLimits, print))
  })

  for (const [how, end] of [
    ['used', ({ clientUses }) => done(clientUses.recordUse(namesOf(open('a')), exampleTime))],
    ['parked', ({ clientUses }) => done(clientUses.parkUnused(exampleTime, 1))],
    ['removed', ({ registry }) => done(registry.removeClient(exampleId('a'), O.none))],
  ] as ReadonlyArray<[string, (ports: Pick<StoreHandle, Names>) => Promise<unknown>]>)
    it(`a client that was ${how} is not found by its fingerprint, which is free`, async (ports) => {
      const print = exampleHash('print')
      await done(ports.registry.addClient(open('a'), O.none, noLimits, print))
      await end(ports)
      assert.equal(await done(ports.clientUses.findUnused(print)), O.none)
      await done(ports.registry.addClient(open('b'), O.none, noLimits, print))
      assert.equal(await done(ports.clientUses.findUnused(print)), O.some(open('b')))
    })

  for (const [bound, limits] of [
    ['limits', { ...noLimits, clients: 100 }],
    ['no limits', noLimits],
  ] as const)
    it(`of 20 registrations with one fingerprint at once, with ${bound}, one adds a client`, async (ports) => {
      const clients = Array.from({ length: 20 }, (_, index) => open(`client-${index}`))
      const outcomes = await race(ports, clients, ({ registry }, client) =>
        registry.addClient(client, O.none, limits, exampleHash('print')),
      )
      assert.is(outcomes.filter(E.isRight).length, 1)
      assert.is(outcomes.filter((each) => E.isLeft(each) && each.left.error === 'registered_before').length, 19)
      assert.is((await listed(ports.registry)).length, 1)
    })

  return tests
}
