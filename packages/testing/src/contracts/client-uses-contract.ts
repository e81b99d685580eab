import {
  clientIdTaken,
  clientSuspended,
  epochSeconds,
  listedClient,
  noLimits,
  observedDaysKept,
  registeredBefore,
  registryFull,
  resumedClient,
  secondsAfter,
  suspendedClient,
  unknownClient,
  useTime,
  useUnit,
  type DueRemoval,
  type EpochSeconds,
  type RegisteredClient,
  type Registration,
  type RemovedClients,
  type Tombstone,
} from '@clientele/domain'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleParking,
  exampleRemoval,
  exampleSession,
  exampleTime,
} from '../examples/examples.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import { propertyRuns } from '../property-runs.js'
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

  it('a use, and an engine that would record one, make their UTC day an observed one', async (ports) => {
    const { clientUses, other } = ports
    const daysLater = (days: number): EpochSeconds => secondsAfter(exampleTime, days * useUnit)
    const late = daysLater(4_000)
    await add(ports, open('a'), open('b'))
    assert.equal(await done(clientUses.observedDays(late, 10)), [])
    await done(clientUses.recordUse(namesOf(open('a')), exampleTime))
    await done(other.clientUses.recordUse(namesOf(open('b')), secondsAfter(exampleTime, 60)))
    await done(
      other.clientUses.recordUse(namesOf({ ...open('a'), registration_id: exampleClient('c').registration_id }), late),
    )
    for (const days of [3, 1, 3]) await done(clientUses.observeDay(daysLater(days)))
    const days = [3, 1, 0].map((each) => useTime(daysLater(each)))
    assert.equal(await done(other.clientUses.observedDays(late, 10)), days)
    assert.equal(await done(clientUses.observedDays(late, 2)), days.slice(0, 2))
    assert.equal(await done(clientUses.observedDays(useTime(daysLater(1)), 10)), days.slice(1))
    await race(ports, [1, 2, 3, 4], (handle) => handle.clientUses.observeDay(late))
    const kept = await done(clientUses.observedDays(late, 10))
    assert.equal(kept[0], useTime(late))
    assert.ok(kept.every((day) => day >= late - observedDaysKept - useUnit))
  })

  it('an authorization and a session make their day an observed one, also of many at once', async (ports) => {
    await add(ports, ...['a', 'b', 'c', 'd'].map((id) => open(id)))
    await race(ports, ['a', 'b', 'c', 'd'], ({ authorizations }, id) =>
      authorizations.recordAuthorization(exampleAuthorization(open(id), `refresh-${id}`), exampleTime),
    )
    assert.equal(await done(ports.clientUses.observedDays(exampleTime, 10)), [day])
    const later = secondsAfter(exampleTime, useUnit)
    const session = { ...exampleSession('one', ['b', 'c']), used_at: later }
    await done(ports.endUserSessions.addSession(session, exampleHash('cookie'), later))
    assert.equal(await done(ports.other.clientUses.observedDays(later, 10)), [day + useUnit, day])
  })

  it('unused open clients that wait the longest are parked, and leave the limit; a use takes one back', async (ports) => {
    const { registry, clientUses } = ports
    for (const client of [open('a'), exampleClient('by-token'), open('b', 10), open('c', 20)]) await add(ports, client)
    await done(clientUses.recordUse(namesOf(open('a')), exampleTime))
    const limits = { ...noLimits, unusedOpenClients: 2 }
    assert.equal(await refused(registry.addClient(open('d', 30), O.none, limits)), registryFull)
    const until = secondsAfter(exampleTime, 15)
    assert.is(await done(clientUses.parkUnused(exampleParking(until), 10)), 1)
    assert.equal(await done(clientUses.listParked(exampleRemoval(until), 10)), [namesOf(open('b', 10))])
    assert.equal(
      (await done(ports.other.clientUses.findUses(['a', 'b', 'c'].map(exampleId)))).map(({ parked }) => parked),
      [false, true, false],
    )
    assert.equal(await done(clientUses.listParked(exampleRemoval(secondsAfter(exampleTime, 5), until), 10)), [])
    await done(registry.addClient(open('d', 30), O.none, limits))
    await done(clientUses.recordUse(namesOf(open('b')), exampleTime))
    assert.equal(await done(clientUses.listParked(exampleRemoval(until), 10)), [])
    assert.is(await done(clientUses.countParked(exampleRemoval(until), 10)), 0)
    assert.is(
      await done(clientUses.removeParked(namesOf(open('b')), exampleRemoval(until), tombstoneOf('b'), undefined)),
      false,
    )
  })

  it('no more are parked or listed than the maximum', async (ports) => {
    for (const id of ['a', 'b', 'c']) await add(ports, open(id))
    const parking = exampleParking(exampleTime)
    const removal = exampleRemoval(exampleTime)
    assert.is(await done(ports.clientUses.parkUnused(parking, 2)), 2)
    assert.is(await done(ports.clientUses.parkUnused(parking, 2)), 1)
    assert.is(await done(ports.clientUses.parkUnused(parking, 2)), 0)
    assert.equal(await done(ports.clientUses.listParked(removal, 2)), [namesOf(open('a')), namesOf(open('b'))])
    for (const max of [1, 2, 10])
      assert.is(
        await done(ports.other.clientUses.countParked(removal, max)),
        (await done(ports.clientUses.listParked(removal, max))).length,
      )
  })

  it('those that wait the longest are first, whenever they were registered', async (ports) => {
    const { registry, clientUses } = ports
    const resumed = resumedClient(secondsAfter(exampleTime, 100))(open('a'))
    await add(ports, open('a'), open('b', 10))
    await done(registry.replaceClient(resumed, open('a')))
    assert.equal(await done(ports.other.registry.findClient(resumed.client_id)), O.some(resumed))
    const late = secondsAfter(exampleTime, 1_000)
    assert.is(await done(clientUses.parkUnused(exampleParking(secondsAfter(exampleTime, 50)), 10)), 1)
    assert.is(await done(clientUses.parkUnused(exampleParking(late), 10)), 1)
    assert.equal(await done(clientUses.listParked(exampleRemoval(late), 10)), [namesOf(open('b')), namesOf(open('a'))])
  })

  it('a client is removed after its notice alone, and a shorter notice begins anew', async (ports) => {
    const { clientUses, other } = ports
    const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)
    const due = (parkedUntil: number, notice: number): DueRemoval => exampleRemoval(at(1_000), at(parkedUntil), notice)
    await add(ports, open('a'))
    await done(clientUses.parkUnused(exampleParking(at(1_000), at(100), 23), 10))
    for (const [parkedUntil, notice] of [
      [99, 23],
      [1_000, 1],
    ] as const) {
      assert.equal(await done(clientUses.listParked(due(parkedUntil, notice), 10)), [])
      assert.is(
        await done(clientUses.removeParked(namesOf(open('a')), due(parkedUntil, notice), tombstoneOf('a'), undefined)),
        false,
      )
    }
    assert.is((await done(clientUses.listParked(due(100, 23), 10))).length, 1)
    assert.is((await done(clientUses.listParked(due(100, 40), 10))).length, 1)
    assert.is(await done(other.clientUses.parkUnused(exampleParking(at(0), at(500), 40), 10)), 0)
    assert.is(await done(other.clientUses.parkUnused(exampleParking(at(0), at(500), 1), 10)), 1)
    assert.equal(await done(clientUses.listParked(due(499, 1), 10)), [])
    assert.is(await done(clientUses.removeParked(namesOf(open('a')), due(500, 1), tombstoneOf('a'), undefined)), true)
  })

  it('a client that came under an operator is neither parked nor removed', async (ports) => {
    const { registry, clientUses } = ports
    const taken = { ...open('b'), registered_by: 'master' as const, version: 2 }
    await add(ports, open('a'), open('b'))
    await done(registry.replaceClient(taken, open('b')))
    assert.is(await done(clientUses.parkUnused(exampleParking(exampleTime), 10)), 1)
    const next = { ...open('a'), registered_by: 'master' as const, version: 2 }
    await done(registry.replaceClient(next, open('a')))
    assert.equal(await done(clientUses.listParked(exampleRemoval(exampleTime), 10)), [])
    assert.is(
      await done(clientUses.removeParked(namesOf(next), exampleRemoval(exampleTime), tombstoneOf('a'), undefined)),
      false,
    )
  })

  it('a parked client is removed once, with an event and a tombstone that is forgotten in time', async (ports) => {
    const { clientUses, providerEvents } = ports
    await add(ports, open('a'))
    const before = await done(providerEvents.latestPosition)
    const due = exampleRemoval(exampleTime)
    assert.is(await done(clientUses.removeParked(namesOf(open('a')), due, tombstoneOf('a'), undefined)), false)
    await done(clientUses.parkUnused(exampleParking(exampleTime), 10))
    const outcomes = await race(ports, [1, 2, 3, 4], (handle) =>
      handle.clientUses.removeParked(namesOf(open('a')), due, tombstoneOf('a'), undefined),
    )
    assert.equal(outcomes.filter((outcome) => E.isRight(outcome) && outcome.right).length, 1)
    assert.equal(await listed(ports.registry), [])
    assert.is((await done(providerEvents.listEvents(before, 10))).events.length, 1)
    const { id, until } = tombstoneOf('a')
    assert.is(await done(ports.other.clientUses.isRemembered(id, exampleTime)), true)
    assert.is(await done(clientUses.isRemembered(id, until)), false)
    assert.is(await done(clientUses.isRemembered(tombstoneOf('b').id, exampleTime)), false)
  })

  it('a client that was removed by itself is restored whole, in its registration, and waits anew', async (ports) => {
    const { registry, clientUses, other } = ports
    const restorable = registeredClient().filter(({ provenance }) => provenance?.imported !== true)
    const whole = fc.tuple(restorable, fc.boolean()).map(([client, isPreceded]): RegisteredClient => ({
      ...client,
      registered_by: 'nobody',
      client_id_issued_at: exampleTime,
      ...(isPreceded ? { preceding_token: { hash: exampleHash('preceding'), until: exampleTime } } : {}),
    }))
    const at = secondsAfter(exampleTime, 500)
    const restoration = fc.asyncProperty(whole, async (client) => {
      const { client_id, registration_access_token } = client
      await done(registry.importClients([{ client, replacing: undefined }]))
      await done(clientUses.parkUnused(exampleParking(exampleTime), 10))
      const removal = exampleRemoval(exampleTime)
      assert.is(await done(clientUses.removeParked(client, removal, tombstoneOf('a'), exampleTime)), true)
      assert.equal(await done(other.registry.findClient(client_id)), O.none)
      const { clients } = await done(other.clientUses.listRemoved(secondsAfter(exampleTime, -1), { after: 0, max: 10 }))
      assert.equal(clients, [
        { client: listedClient(client, { last_use: undefined, parked: true }), removed_at: exampleTime },
      ])
      const restoring = { since: secondsAfter(exampleTime, -1), at, tombstone: tombstoneOf('a').id }
      await done(other.clientUses.restoreRemoved(client_id, restoring))
      const restored = { ...client, waits_since: at }
      assert.equal(await done(registry.findClient(client_id)), O.some(restored))
      assert.equal(await done(registry.findClientByToken(client_id, registration_access_token.hash)), O.some(restored))
      assert.equal(await done(clientUses.findUses([client_id])), [
        { ...namesOf(client), last_use: undefined, parked: false },
      ])
      assert.is(await done(clientUses.isRemembered(tombstoneOf('a').id, exampleTime)), false)
      assert.equal((await done(clientUses.listRemoved(epochSeconds(0), { after: 0, max: 10 }))).clients, [])
      assert.is(await done(clientUses.parkUnused(exampleParking(exampleTime), 10)), 0)
      assert.is(await done(clientUses.parkUnused(exampleParking(at), 10)), 1)
      await done(registry.removeClient(client_id, O.none))
    })
    await fc.assert(restoration, { numRuns: Math.ceil(propertyRuns() / 4) })
  })

  it('a client is restored once, within its time, and not beside another one of its client_id', async (ports) => {
    const { registry, clientUses, other } = ports
    const late = secondsAfter(exampleTime, 100)
    const remove = async (id: string, at: EpochSeconds): Promise<void> => {
      await add(ports, open(id))
      await done(clientUses.parkUnused(exampleParking(exampleTime), 10))
      assert.is(await done(clientUses.removeParked(open(id), exampleRemoval(exampleTime), tombstoneOf(id), at)), true)
    }
    const restoring = (id: string, since = exampleTime) => ({ since, at: late, tombstone: tombstoneOf(id).id })
    for (const id of ['a', 'b', 'c']) await remove(id, secondsAfter(exampleTime, id.charCodeAt(0)))
    assert.equal(await refused(clientUses.restoreRemoved(exampleId('none'), restoring('none'))), unknownClient)
    const atB = secondsAfter(exampleTime, 'b'.charCodeAt(0))
    assert.equal(await refused(clientUses.restoreRemoved(exampleId('b'), restoring('b', atB))), unknownClient)
    await add(ports, { ...exampleClient('a', 'second'), registered_by: 'token' })
    assert.equal(await refused(clientUses.restoreRemoved(exampleId('a'), restoring('a'))), clientIdTaken)
    assert.is(await done(clientUses.isRemembered(tombstoneOf('a').id, exampleTime)), true)
    const outcomes = await race(ports, [1, 2, 3, 4], (handle) =>
      handle.clientUses.restoreRemoved(exampleId('b'), restoring('b')),
    )
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.ok(outcomes.every((each) => E.isRight(each) || each.left.error === 'unknown_client'))
    assert.is((await listed(other.registry)).length, 2)
    await done(registry.removeClient(exampleId('a'), O.none))
    await done(clientUses.restoreRemoved(exampleId('a'), restoring('a')))
  })

  it('removed clients are listed page by page in the order of their removal, and forgotten from the first on', async (ports) => {
    const { clientUses, other } = ports
    const ids = ['a', 'b', 'c', 'd', 'e']
    for (const [index, id] of ids.entries()) {
      await add(ports, open(id))
      await done(clientUses.parkUnused(exampleParking(exampleTime), 10))
      const at = secondsAfter(exampleTime, index)
      await done(clientUses.removeParked(open(id), exampleRemoval(exampleTime), tombstoneOf(id), at))
    }
    const pages = async (max: number): Promise<ReadonlyArray<string>> => {
      const found: Array<string> = []
      let after: number | undefined = 0
      while (after !== undefined) {
        const page: RemovedClients = await done(other.clientUses.listRemoved(exampleTime, { after, max }))
        assert.ok(page.clients.length <= max)
        found.push(...page.clients.map(({ client }) => client.client_id))
        after = page.next
      }
      return found
    }
    for (const max of [1, 2, 3, 4, 5]) assert.equal(await pages(max), ['b', 'c', 'd', 'e'])
    assert.is(await done(other.clientUses.forgetRemoved(secondsAfter(exampleTime, 3), 3)), 3)
    assert.equal(await pages(5), ['d', 'e'])
    assert.is(await done(clientUses.forgetRemoved(secondsAfter(exampleTime, 3), 3)), 1)
    assert.is(await done(clientUses.forgetRemoved(secondsAfter(exampleTime, 3), 3)), 0)
    await add(ports, open('f'))
    await done(clientUses.parkUnused(exampleParking(exampleTime), 10))
    await done(clientUses.removeParked(open('f'), exampleRemoval(exampleTime), tombstoneOf('f'), undefined))
    assert.equal(await pages(5), ['e'])
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
    const parking = exampleParking(exampleTime)
    const removal = exampleRemoval(exampleTime)
    assert.is(await done(clientUses.parkUnused(parking, 10)), 1)
    const resumed = resumedClient(exampleTime)(suspended)
    await done(registry.replaceClient(resumed, suspended))
    assert.equal(await done(registry.findClient(client.client_id)), O.some(resumed))
    assert.is(await done(clientUses.parkUnused(parking, 10)), 1)
    await done(registry.replaceClient(suspendedClient(exampleTime)(resumed), resumed))
    assert.is(await done(clientUses.removeParked(namesOf(client), removal, tombstoneOf('a'), undefined)), false)
    await done(registry.removeClient(client.client_id, O.none))
  })

  it('an import stores a suspension and its end, as any replacement does', async ({ registry }) => {
    const client = open('a')
    const suspended = suspendedClient(exampleTime)(client)
    await done(registry.importClients([{ client, replacing: undefined }]))
    for (const [next, replacing] of [
      [suspended, client],
      [resumedClient(secondsAfter(exampleTime, 10))(suspended), suspended],
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
    ['parked', ({ clientUses }) => done(clientUses.parkUnused(exampleParking(exampleTime), 1))],
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
