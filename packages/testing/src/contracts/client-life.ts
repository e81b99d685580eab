// The life of a client as the store knows it: its uses, its suspension, and what follows when nobody uses it: parking,
// removal and restoration. What a use, a parking and a removal do to the limit and to fingerprints is in the model of its
// states.
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, clientIdTaken, epochSeconds, secondsAfter, unknownClient } from '@clientele/domain/kernel'
import { type DueRemoval, observedDaysKept, useTime, useUnit } from '@clientele/domain/life-cycle'
import { listedClient } from '@clientele/domain/managing'
import { type StoragePorts, type Tombstone, clientSuspended } from '@clientele/domain/ports'
import { type RegisteredClient, approvedClient, resumedClient, suspendedClient } from '@clientele/domain/registration'
import { registeredClient } from '../arbitraries/registration.js'
import { contract, contracts, done, inPages, listed, numbers, race, refused } from './contract.js'
import { addClient, register, registerAnew, removeClient, beginSession, replaceClient } from './steps.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleParking,
  exampleRemoval,
  exampleSession,
  exampleTime,
  noRow,
  registrationOf,
  removal,
  openExample,
} from '../examples.js'
import { propertyRuns } from '../property-runs.js'

const at = (seconds: number): EpochSeconds => secondsAfter(exampleTime, seconds)
const daysLater = (days: number): EpochSeconds => at(days * useUnit)
/** Registered so many seconds after the example's time. */
const open = (id: string, after = 0): RegisteredClient => openExample(id, { client_id_issued_at: at(after) })
const tombstoneOf = (id: string): Tombstone => ({ id: exampleHash(`tombstone-${id}`), until: at(100) })

const lastUses = async ({ clientUses }: StoragePorts, ...ids: ReadonlyArray<string>) =>
  (await done(clientUses.findUses(ids.map(exampleId)))).map(({ last_use }) => last_use)
const park = ({ clientUses }: StoragePorts, waitsSince = exampleTime, max = 10): Promise<number> =>
  done(clientUses.parkUnused(exampleParking(waitsSince), max))
const parked = async (ports: StoragePorts, due: DueRemoval = exampleRemoval(exampleTime), max = 10) =>
  (await done(ports.clientUses.listParked(due, max))).map(({ client_id }) => client_id)
const removeParked = (
  { clientUses }: StoragePorts,
  client: RegisteredClient,
  due = exampleRemoval(exampleTime),
  removedAt?: EpochSeconds,
) => done(clientUses.removeParked(registrationOf(client), due, tombstoneOf(client.client_id), removedAt, noRow))
const isRemembered = ({ clientUses }: StoragePorts, id: string, when: EpochSeconds = exampleTime): Promise<boolean> =>
  done(clientUses.isRemembered(tombstoneOf(id).id, when))

/** Registers the client, and removes it as unused at the time. */
const keepAside = async (ports: StoragePorts, id: string, removedAt: EpochSeconds): Promise<void> => {
  await register(ports, open(id))
  await park(ports)
  assert.is(await removeParked(ports, open(id), exampleRemoval(exampleTime), removedAt), true)
}

const day = useTime(exampleTime)

const using = contract('Uses of a client', (it) => {
  it('of an ended registration no use is stored, also if the id is registered again', async (ports) => {
    await register(ports, open('a'))
    await registerAnew(ports, 'a')
    await done(ports.clientUses.recordUse(registrationOf(open('a')), exampleTime))
    assert.equal(await lastUses(ports, 'a'), [undefined])
    assert.equal(await done(ports.clientUses.observedDays(exampleTime, 10)), [])
  })

  it('a use, and an engine that would record one, make their UTC day an observed one; old ones may be forgotten', async (ports) => {
    const { clientUses, other } = ports
    const late = daysLater(4_000)
    await register(ports, open('a'), open('b'))
    await done(clientUses.recordUse(registrationOf(open('a')), exampleTime))
    await done(other.clientUses.recordUse(registrationOf(open('b')), at(60)))
    await done(other.clientUses.recordUse(registrationOf(open('a')), daysLater(-1)))
    assert.equal(await lastUses(ports, 'a', 'b'), [day, day])
    for (const days of [3, 1, 3]) await done(clientUses.observeDay(daysLater(days)))
    const days = [3, 1, 0].map((each) => useTime(daysLater(each)))
    assert.equal(await done(other.clientUses.observedDays(late, 10)), days)
    assert.equal(await done(clientUses.observedDays(late, 2)), days.slice(0, 2))
    assert.equal(await done(clientUses.observedDays(useTime(daysLater(1)), 10)), days.slice(1))
    await race(ports, numbers(4), (handle) => handle.clientUses.observeDay(late))
    const kept = await done(clientUses.observedDays(late, 10))
    assert.equal(kept[0], useTime(late))
    assert.ok(kept.every((each) => each >= late - observedDaysKept - useUnit))
  })

  it('an authorization and a session are uses, and make their day an observed one, also of many at once', async (ports) => {
    const ids = ['a', 'b', 'c', 'd']
    await register(ports, ...ids.map((id) => open(id)))
    await race(ports, ids, ({ authorizations }, id) =>
      authorizations.recordAuthorization(exampleAuthorization(open(id), `refresh-${id}`), exampleTime),
    )
    const session = { ...exampleSession('one', ['b', 'c']), used_at: daysLater(1) }
    await done(beginSession(ports, session, 'cookie', daysLater(1)))
    assert.equal(await done(ports.other.clientUses.observedDays(daysLater(1), 10)), [day + useUnit, day])
    assert.equal(await lastUses(ports.other, ...ids), [day, day + useUnit, day + useUnit, day])
  })

  it('a suspended client is not parked or removed, and does not remove itself', async (ports) => {
    const client = open('a')
    const suspended = suspendedClient(exampleTime)(client)
    const resumed = resumedClient(exampleTime)(suspended)
    await register(ports, client, open('b'))
    await replaceClient(ports, suspended, client)
    const remove = (token: TokenHash) =>
      refused(ports.other.registry.removeClient(removal(client.client_id, { token: O.some(token) })))
    assert.equal(await remove(client.registration_access_token.hash), clientSuspended)
    assert.equal(await remove(exampleHash('none')), unknownClient)
    assert.is(await park(ports), 1)
    await replaceClient(ports, resumed, suspended)
    assert.is(await park(ports), 1)
    await replaceClient(ports, suspendedClient(exampleTime)(resumed), resumed)
    assert.equal([await parked(ports.other), await removeParked(ports, client)], [['b'], false])
    await removeClient(ports, 'a')
  })

  it('a client without an approval is stored so, counted so, and comes back so where it was removed; it removes itself', async (ports) => {
    const client: RegisteredClient = { ...open('a'), approval: { state: 'pending' } }
    await register(ports, client, open('b'))
    const { clients } = await done(ports.other.census.countClients(0, 10))
    assert.equal(
      clients.map(({ approval }) => approval),
      [client.approval, undefined],
    )
    const token = O.some(client.registration_access_token.hash)
    // No unused client counts as one in force, and none is parked.
    assert.is(await park(ports), 1)
    assert.is(await announce(ports, 0), 1)
    assert.is(await removeParked(ports, client, unapprovedDue(0), at(1)), true)
    const restoring = { since: at(0), at: at(2), tombstone: undefined }
    const { clients: aside } = await done(ports.clientUses.listRemoved(at(0), { after: 0, max: 10 }))
    assert.equal(
      aside.map((each) => each.client.approval),
      [client.approval],
    )
    await done(ports.other.clientUses.restoreRemoved(client.client_id, restoring, noRow))
    const restored = O.toUndefined(await done(ports.registry.findClient(client.client_id)))
    assert.equal(restored, { ...client, waits_since: at(2) })
    await done(ports.other.registry.removeClient(removal(client.client_id, { token })))
    assert.equal(await done(ports.registry.findClient(client.client_id)), O.none)
  })
})

const announce = ({ clientUses }: StoragePorts, since: number, on = since, notice = 1): Promise<number> =>
  done(clientUses.parkUnused({ ...exampleParking(at(since), at(on), notice), unapproved: true }, 10))
const unapprovedDue = (since: number, until = since, notice = 1): DueRemoval => ({
  ...exampleRemoval(at(since), at(until), notice),
  unapproved: true,
})

const unapproving = contract('Clients without an approval', (it) => {
  const pending = (id: string, more: Partial<RegisteredClient> = {}): RegisteredClient => ({
    ...exampleClient(id),
    approval: { state: 'pending' },
    registered_by: 'token',
    ...more,
  })

  it('they are removed after their announcement alone, whoever registered them; those of imports and suspended ones never', async (ports) => {
    const { clientUses } = ports
    await register(
      ports,
      pending('a'),
      pending('later', { waits_since: at(50) }),
      pending('suspended', { suspended_at: at(0) }),
      pending('imported', { provenance: { imported: true } }),
      exampleClient('in-force'),
    )
    assert.equal(await parked(ports, unapprovedDue(100)), [], 'nothing was announced')
    assert.is(await announce(ports, 10), 1)
    assert.is(await announce(ports.other, 10, 20), 0, 'its announcement goes on as it began')
    assert.equal(await parked(ports.other, unapprovedDue(100, 9)), [], 'it was announced later')
    assert.equal(await parked(ports.other, unapprovedDue(100, 100)), ['a'])
    await done(clientUses.recordUse(registrationOf(pending('a')), exampleTime))
    assert.equal([await done(clientUses.countParked(unapprovedDue(100), 10)), await parked(ports)], [1, []])
    // A longer notice of before is none of today.
    assert.equal([await announce(ports, 60, 60, 2), await parked(ports, unapprovedDue(100))], [1, ['a']])
    assert.equal([await announce(ports, 60, 70), await parked(ports, unapprovedDue(100))], [1, ['a', 'later']])
    assert.equal(await parked(ports, unapprovedDue(49, 100)), ['a'], 'the other waits since then')
    assert.is(await removeParked(ports, pending('later'), unapprovedDue(49, 100)), false)
    assert.is(await removeParked(ports.other, pending('later'), unapprovedDue(100)), true)
    assert.is(await removeParked(ports, exampleClient('in-force'), unapprovedDue(100)), false)
  })

  it('a refusal, or a restoration, begins the wait anew, with an announcement of its own', async (ports) => {
    const client = pending('a')
    await register(ports, client)
    assert.is(await announce(ports, 10), 1)
    const refused: RegisteredClient = { ...client, waits_since: at(20), version: client.version + 1 }
    await replaceClient(ports, refused, client)
    assert.equal(await parked(ports, unapprovedDue(100)), [])
    assert.is(await announce(ports.other, 30), 1)
    assert.is(await removeParked(ports, client, unapprovedDue(100), at(100)), true)
    const restoring = { since: at(0), at: at(101), tombstone: undefined }
    await done(ports.clientUses.restoreRemoved(client.client_id, restoring, noRow))
    assert.equal(await parked(ports.other, unapprovedDue(200)), [])
    const [use] = await done(ports.clientUses.findUses([client.client_id]))
    assert.equal([use?.parked, use?.last_use], [false, undefined])
    assert.is(await announce(ports, 200), 1)
  })

  it('an approval ends the parking of before, so that a removal has its whole notice', async (ports) => {
    const parkAt = (seconds: number) => done(ports.clientUses.parkUnused(exampleParking(at(100), at(seconds), 23), 10))
    const client = open('a')
    await done(addClient(ports, client, { print: 'print' }))
    assert.is(await parkAt(1), 1)
    await done(addClient(ports, open('b', 1_000), { print: 'print' }))
    const next: RegisteredClient = { ...client, approval: { state: 'pending' }, waits_since: at(10), version: 2 }
    await replaceClient(ports, next, client)
    assert.is(await announce(ports, 20), 1)
    await replaceClient(ports.other, approvedClient(at(30))(next), next)
    assert.equal([await parked(ports, exampleRemoval(at(100), at(100), 99)), await parkAt(40)], [[], 1])
    assert.equal(await parked(ports.other, exampleRemoval(at(100), at(40), 22)), [])
    assert.equal(await parked(ports.other, exampleRemoval(at(100), at(40), 23)), ['a'])
  })
})

const parking = contract('Parking', (it) => {
  it('those that wait the longest are first, whenever they were registered, and no more than the maximum', async (ports) => {
    const late = at(1_000)
    const due = exampleRemoval(late)
    await register(ports, open('a'), open('b', 10), open('c', 20))
    await replaceClient(ports, resumedClient(at(100))(open('a')), open('a'))
    assert.is(await park(ports, late, 1), 1)
    assert.equal(await parked(ports.other, due), ['b'])
    assert.equal([await park(ports, late, 2), await park(ports, late, 2)], [2, 0])
    assert.equal(await parked(ports.other, due), ['b', 'c', 'a'])
    for (const max of [1, 2, 10]) {
      const expected = ['b', 'c', 'a'].slice(0, max)
      assert.equal(await parked(ports, due, max), expected)
      assert.is(await done(ports.other.clientUses.countParked(due, max)), expected.length)
    }
  })

  it('a client is removed after its notice alone, and a shorter notice begins anew', async (ports) => {
    const { clientUses, other } = ports
    const due = (parkedUntil: number, notice: number): DueRemoval => exampleRemoval(at(1_000), at(parkedUntil), notice)
    await register(ports, open('a'))
    await done(clientUses.parkUnused(exampleParking(at(1_000), at(100), 23), 10))
    for (const early of [due(99, 23), due(1_000, 22)])
      assert.equal([await parked(ports, early), await removeParked(ports, open('a'), early)], [[], false])
    assert.equal([await parked(ports, due(100, 23)), await parked(ports, due(100, 40))], [['a'], ['a']])
    assert.is(await done(other.clientUses.parkUnused(exampleParking(at(0), at(500), 40), 10)), 0)
    assert.is(await done(other.clientUses.parkUnused(exampleParking(at(0), at(500), 1), 10)), 1)
    assert.equal(await parked(ports, due(499, 1)), [])
    assert.is(await removeParked(ports, open('a'), due(500, 1)), true)
  })
})

const removing = contract('Removal and restoration of unused clients', (it) => {
  const restoring = (id: string, since = exampleTime) => ({ since, at: at(500), tombstone: tombstoneOf(id).id })
  const restore = ({ clientUses }: StoragePorts, id: string, since?: EpochSeconds) =>
    clientUses.restoreRemoved(exampleId(id), restoring(id, since), noRow)
  const removedAfter = ({ clientUses }: StoragePorts, since: EpochSeconds) =>
    done(clientUses.listRemoved(since, { after: 0, max: 10 }))

  it('a client is removed once it is parked, with an event and a tombstone that is forgotten in time', async (ports) => {
    const { providerEvents, other } = ports
    await register(ports, open('a'))
    const before = await done(providerEvents.latestPosition)
    assert.is(await removeParked(ports, open('a')), false)
    await park(ports)
    assert.is(await removeParked(ports, open('a')), true)
    assert.equal(await listed(other.registry), [])
    assert.is((await done(other.providerEvents.listEvents(before, 10))).events.length, 1)
    assert.equal([await isRemembered(other, 'a', at(99)), await isRemembered(other, 'a', at(100))], [true, false])
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
    const restoration = fc.asyncProperty(whole, async (client) => {
      const { client_id } = client
      await register(ports, client)
      await park(ports)
      assert.is(await removeParked(ports, client, exampleRemoval(exampleTime), exampleTime), true)
      assert.equal(await done(other.registry.findClient(client_id)), O.none)
      assert.equal((await removedAfter(other, at(-1))).clients, [
        { client: listedClient(client, { last_use: undefined, parked: true }), removed_at: exampleTime },
      ])
      const { id } = tombstoneOf(client_id)
      await done(other.clientUses.restoreRemoved(client_id, { since: at(-1), at: at(500), tombstone: id }, noRow))
      const restored = O.some({ ...client, waits_since: at(500) })
      assert.equal(await done(registry.findClient(client_id)), restored)
      const byToken = registry.findClientByToken(client_id, client.registration_access_token.hash)
      assert.equal(await done(byToken), restored)
      assert.equal(await done(clientUses.findUses([client_id])), [
        { ...registrationOf(client), last_use: undefined, parked: false },
      ])
      assert.is(await isRemembered(ports, client_id), false)
      assert.equal((await removedAfter(ports, epochSeconds(0))).clients, [])
      assert.equal([await park(ports, at(499)), await park(ports, at(500))], [0, 1])
      await removeClient(ports, client_id)
    })
    await fc.assert(restoration, { numRuns: Math.ceil(propertyRuns() / 4) })
  })

  it('a client is restored once, within its time, and not beside another one of its client_id', async (ports) => {
    for (const [id, seconds] of Object.entries({ a: 1, b: 2, c: 3 })) await keepAside(ports, id, at(seconds))
    assert.equal(await refused(restore(ports, 'none')), unknownClient)
    assert.equal(await refused(restore(ports, 'b', at(2))), unknownClient)
    await register(ports, exampleClient('a', 'second'))
    assert.equal(await refused(restore(ports, 'a')), clientIdTaken)
    assert.is(await isRemembered(ports, 'a'), true)
    await done(restore(ports, 'b', at(1)))
    assert.is((await listed(ports.other.registry)).length, 2)
    await removeClient(ports, 'a')
    await done(restore(ports, 'a'))
  })

  it('removed clients are listed page by page in the order of their removal, and forgotten from the first on', async (ports) => {
    const { clientUses, other } = ports
    for (const [seconds, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await keepAside(ports, id, at(seconds))
    const pages = (max: number): Promise<ReadonlyArray<string>> =>
      inPages(
        max,
        (after) => other.clientUses.listRemoved(exampleTime, { after, max }),
        ({ clients }) => clients.map(({ client }) => client.client_id),
      )
    for (const max of [1, 2, 3, 4, 5]) assert.equal(await pages(max), ['b', 'c', 'd', 'e'])
    assert.is(await done(other.clientUses.forgetRemoved(at(3), 3)), 3)
    assert.equal(await pages(5), ['d', 'e'])
    assert.equal(
      [await done(clientUses.forgetRemoved(at(3), 3)), await done(clientUses.forgetRemoved(at(3), 3))],
      [1, 0],
    )
    await register(ports, open('f'))
    await park(ports)
    await removeParked(ports, open('f'))
    assert.equal(await pages(5), ['e'])
  })
})

/** The promises of ClientUses, and of suspended clients. */
export const clientLifeContract = contracts(using, unapproving, parking, removing)
