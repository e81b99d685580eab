import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  clientChanged,
  clientIdTaken,
  noLimits,
  registryFull,
  secondsAfter,
  suspendedClient,
  useTime,
  useUnit,
  type ClientImport,
  type RegisteredClient,
} from '@clientele/domain'
import { registeredClient } from '../arbitraries/registered-client.js'
import {
  exampleClient,
  exampleHash,
  exampleId,
  exampleParking,
  exampleRemoval,
  exampleTime,
  updatedExample,
} from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, done, listed, refused } from './open-store.js'

const added = (client: RegisteredClient): ClientImport => ({ client, replacing: undefined })
const examples = (from: number, to: number): ReadonlyArray<ClientImport> =>
  Array.from({ length: to - from }, (_, index) => added(exampleClient(`imported-${from + index}`)))
const clientsOf = (imports: ReadonlyArray<ClientImport>): ReadonlyArray<RegisteredClient> =>
  imports.map(({ client }) => client)

const stored = E.right(undefined)

/** The promises of ClientRegistry about an import: clients are stored together, and each has an outcome. */
export const clientImportContract = (name: string, open: OpenStore<'registry' | 'clientUses'>): Contract => {
  const { test, tests } = collect(`ClientRegistry, imports ${name}`)
  const it = onNewStore(test, open)

  it('clients are stored as they were imported, every member of them', async ({ registry }) => {
    const suspendible = fc
      .tuple(registeredClient(), fc.boolean())
      .map(([client, waits]) => (waits ? { ...client, waits_since: exampleTime } : client))
      .chain((client) => fc.constantFrom(client, suspendedClient(exampleTime)(client)))
    const batches = fc.uniqueArray(suspendible, { selector: ({ client_id }) => client_id, maxLength: 5 })
    const roundTrip = fc.asyncProperty(batches, async (clients) => {
      assert.equal(
        await done(registry.importClients(clients.map(added))),
        clients.map(() => stored),
      )
      try {
        for (const client of clients) assert.equal(await done(registry.findClient(client.client_id)), O.some(client))
      } finally {
        for (const { client_id } of clients) await done(registry.removeClient(client_id, O.none))
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('the use of an imported client is recorded, unless the client is refused or a later use is known', async (ports) => {
    const { registry, clientUses, other } = ports
    const open = (id: string): RegisteredClient => ({ ...exampleClient(id), registered_by: 'nobody' })
    const later = secondsAfter(exampleTime, 5 * useUnit)
    const lastUses = async () =>
      Object.fromEntries((await done(other.clientUses.findUses(ids))).map((use) => [use.client_id, use.last_use]))
    const ids = ['new', 'unused', 'current', 'replaced', 'taken'].map(exampleId)
    for (const id of ['current', 'replaced', 'taken']) await done(registry.addClient(open(id), O.none, noLimits))
    await done(clientUses.recordUse(open('current'), later))
    await done(
      registry.importClients([
        { ...added(open('new')), last_use: later },
        added(open('unused')),
        { client: updatedExample(open('current')), replacing: open('current'), last_use: exampleTime },
        { client: updatedExample(open('replaced')), replacing: open('replaced'), last_use: later },
        { ...added(exampleClient('taken', 'second')), last_use: later },
      ]),
    )
    const day = useTime(later)
    assert.equal(await lastUses(), { new: day, unused: undefined, current: day, replaced: day, taken: undefined })
    assert.is(await done(clientUses.parkUnused(exampleParking(exampleTime), 10)), 2)
    assert.equal(
      (await done(clientUses.listParked(exampleRemoval(exampleTime), 10))).map(({ client_id }) => client_id),
      ['taken', 'unused'],
    )
  })

  it('the use of an imported client was elsewhere: its day is not observed here', async ({ registry, clientUses }) => {
    await done(registry.importClients([{ ...added(exampleClient('used')), last_use: exampleTime }]))
    assert.equal(await done(clientUses.observedDays(exampleTime, 10)), [])
  })

  it('an open client that an import brings, or replaces, is parked and never removed', async ({ registry, other }) => {
    const open = (id: string): RegisteredClient => ({ ...exampleClient(id), registered_by: 'nobody' })
    const imported = (client: RegisteredClient): RegisteredClient => ({ ...client, provenance: { imported: true } })
    const replacing = open('replaced')
    for (const client of [replacing, open('other')]) await done(registry.addClient(client, O.none, noLimits))
    await done(
      registry.importClients([
        added(imported(open('brought'))),
        { client: imported({ ...updatedExample(replacing), registered_by: 'nobody' }), replacing },
      ]),
    )
    assert.is(await done(other.clientUses.parkUnused(exampleParking(exampleTime), 10)), 3)
    const late = exampleRemoval(secondsAfter(exampleTime, 4_000 * useUnit))
    assert.equal(
      (await done(other.clientUses.listParked(late, 10))).map(({ client_id }) => client_id),
      ['other'],
    )
    for (const client of [open('brought'), replacing])
      assert.is(
        await done(
          other.clientUses.removeParked(client, late, { id: exampleHash('gone'), until: exampleTime }, undefined),
        ),
        false,
      )
  })

  it('an imported client waits since its import, whatever its dates', async ({ registry, clientUses }) => {
    const old = { ...exampleClient('old'), registered_by: 'nobody' as const }
    const since = secondsAfter(exampleTime, useUnit)
    await done(registry.importClients([added({ ...old, waits_since: since })]))
    assert.is(await done(clientUses.parkUnused(exampleParking(exampleTime), 10)), 0)
    assert.is(await done(clientUses.parkUnused(exampleParking(since), 10)), 1)
  })

  it('imported clients are listed in their order, on every handle', async ({ registry, other }) => {
    const imports = examples(0, 300)
    await done(registry.importClients(imports.slice(0, 256)))
    await done(registry.importClients(imports.slice(256)))
    assert.equal(await listed(other.registry), clientsOf(imports))
  })

  it('nothing is stored of an empty import', async ({ registry }) => {
    assert.equal(await done(registry.importClients([])), [])
    assert.equal(await listed(registry), [])
  })

  it('a taken id is refused and keeps its client; the other clients of the batch are stored', async ({ registry }) => {
    const taken = exampleClient('taken')
    await done(registry.addClient(taken, O.none, noLimits))
    const outcomes = await done(
      registry.importClients([
        added(exampleClient('before')),
        added(exampleClient('taken', 'second')),
        added(exampleClient('after')),
      ]),
    )
    assert.equal(outcomes, [stored, E.left(clientIdTaken), stored])
    assert.equal(await listed(registry), [taken, exampleClient('before'), exampleClient('after')])
  })

  it('a client is replaced in the version that was read, and in no other', async ({ registry, other }) => {
    const [one, two, gone] = [exampleClient('one'), exampleClient('two'), exampleClient('gone')] as const
    for (const client of [one, two]) await done(registry.addClient(client, O.none, noLimits))
    const later = updatedExample(two, 'later')
    await done(other.registry.replaceClient(later, two))
    const next = updatedExample(one)
    const outcomes = await done(
      registry.importClients([
        { client: next, replacing: one },
        { client: updatedExample(two, 'lost'), replacing: two },
        { client: updatedExample(gone), replacing: gone },
        added(exampleClient('new')),
      ]),
    )
    assert.equal(outcomes, [stored, E.left(clientChanged), E.left(clientChanged), stored])
    assert.equal(await listed(other.registry), [next, later, exampleClient('new')])
    const token = next.registration_access_token.hash
    assert.equal(await done(registry.findClientByToken(one.client_id, token)), O.some(next))
  })

  it('of two imports of one client at once, one stores it', async (handles) => {
    const imports = Array.from({ length: 8 }, (_, index) => [
      added(exampleClient('same', `life-${index}`)),
      added(exampleClient(`own-${index}`)),
    ])
    const outcomes = await race(handles, imports, ({ registry }, batch) => registry.importClients(batch))
    const results = outcomes.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right] : []))
    assert.is(results.length, imports.length)
    assert.is(results.filter(([same]) => same !== undefined && E.isRight(same)).length, 1)
    assert.ok(results.every(([, own]) => own !== undefined && E.isRight(own)))
    assert.is((await listed(handles.registry)).length, imports.length + 1)
  })

  it('imported clients count for the limits of registrations', async ({ registry }) => {
    const open = { ...exampleClient('open'), registered_by: 'nobody' as const }
    await done(registry.importClients([added(open), ...examples(0, 2)]))
    const next = { ...exampleClient('next'), registered_by: 'nobody' as const }
    const limits = (clients: number, unusedOpenClients: number) => ({ clients, unusedOpenClients })
    assert.equal(await refused(registry.addClient(next, O.none, limits(3, 10))), registryFull)
    assert.equal(await refused(registry.addClient(next, O.none, limits(10, 1))), registryFull)
    await done(registry.addClient(next, O.none, limits(4, 2)))
  })

  return tests
}
