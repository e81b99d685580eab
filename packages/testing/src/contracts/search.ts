// The search of clients: `matches` of the domain says what is found.
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { secondsAfter } from '@clientele/domain/kernel'
import { defaultLifeCycle } from '@clientele/domain/life-cycle'
import {
  type ClientFilter,
  type FilterFacts,
  type ListedClient,
  listedClient,
  matches,
} from '@clientele/domain/managing'
import type { StoragePorts } from '@clientele/domain/ports'
import { type RegisteredClient, storedMetadata, suspendedClient } from '@clientele/domain/registration'
import { clientFilter, searchedClients } from '../arbitraries/client-filter.js'
import { unapproved } from '../arbitraries/registration.js'
import { contract, done, inPages, listed } from './contract.js'
import { exampleParking, exampleTime, importOf, removal, replacement } from '../examples.js'
import { runParameters } from '../property-runs.js'

const day = 86_400
const facts: FilterFacts = { now: secondsAfter(exampleTime, 200 * day), lifeCycle: defaultLifeCycle }

const unused = { last_use: undefined, parked: false }

/** The whole list, by what the other ports say. */
const listedBy = async ({ registry, clientUses }: StoragePorts): Promise<ReadonlyArray<ListedClient>> => {
  const clients = await listed(registry)
  const uses = await done(clientUses.findUses(clients.map(({ client_id }) => client_id)))
  const known = new Map(uses.map((use) => [use.client_id, use]))
  return clients.map((client) => listedClient(client, known.get(client.client_id) ?? unused))
}

const allPages = ({ clientSearch }: StoragePorts, filter: ClientFilter, limit: number) =>
  inPages(
    limit,
    (after) => clientSearch.searchClients(filter, facts, { after, limit }),
    ({ clients }) => clients,
  )

const pendingOrRefused = (place: number, client: RegisteredClient): RegisteredClient => ({
  ...client,
  approval: fc.sample(unapproved(), { numRuns: 1, seed: place })[0] ?? { state: 'pending' },
  version: client.version + 1,
})

// Used, suspended, unapproved, updated and removed clients, some of whose texts are indexed before.
const live = async ({ registry, clientUses, clientSearch }: StoragePorts): Promise<void> => {
  const clients = await listed(registry)
  await done(clientSearch.indexTexts(Math.floor(clients.length / 2)))
  await done(clientUses.parkUnused(exampleParking(facts.now), Math.ceil(clients.length / 3)))
  for (const [place, client] of clients.entries()) {
    if (place % 3 === 0) await done(clientUses.recordUse(client, secondsAfter(exampleTime, place * 5 * day)))
    if (place % 7 === 1) await done(registry.replaceClient(replacement(suspendedClient(facts.now)(client), client)))
    if (place % 7 === 2) {
      const metadata = storedMetadata({ ...client.metadata, client_name: `Renamed ${place}` })
      await done(registry.replaceClient(replacement({ ...client, metadata, version: client.version + 1 }, client)))
    }
    if (place % 7 === 5) await done(registry.replaceClient(replacement(pendingOrRefused(place, client), client)))
    if (place % 7 === 3) await done(registry.removeClient(removal(client.client_id)))
  }
}

const indexAll = async ({ clientSearch }: StoragePorts): Promise<void> => {
  while ((await done(clientSearch.indexTexts(7))) > 0) await Promise.resolve()
}

/** The promises of ClientSearch: `matches` of the domain is the law. */
export const searchContract = contract('Searches of clients', (it) => {
  const anyClients = (): ReadonlyArray<RegisteredClient> => fc.sample(searchedClients(), 1).flat()
  const store = (ports: StoragePorts, clients: ReadonlyArray<RegisteredClient>): Promise<unknown> =>
    done(ports.registry.importClients(clients.map((client) => importOf(client))))

  it('the pages of any filter are the clients that it matches, in the order of registration', async (ports) => {
    const clients = anyClients()
    await store(ports, clients)
    await live(ports)
    const { numRuns, ...parameters } = runParameters()
    const check = fc.asyncProperty(
      clientFilter(clients),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 0, max: 3 }),
      async (filter, limit, indexed) => {
        await done(ports.clientSearch.indexTexts(indexed))
        const expected = (await listedBy(ports)).filter(matches(filter, facts))
        assert.equal(await allPages(ports.other, filter, limit), expected)
      },
    )
    await fc.assert(check, { numRuns: Math.min(numRuns, 100), ...parameters })
  })

  it('the pages are the same before texts are indexed, while two handles index them, and after changes', async (ports) => {
    const clients = anyClients()
    // Most filters have so many members that few clients match: those of texts alone match many.
    const whole = fc.sample(clientFilter(clients), 20)
    const filters = whole.flatMap(({ q, ...others }) => (q === undefined ? [others] : [{ q, ...others }, { q }]))
    const check = async (): Promise<void> => {
      const all = await listedBy(ports)
      for (const filter of filters)
        assert.equal(await allPages(ports.other, filter, 7), all.filter(matches(filter, facts)))
    }
    await store(ports, clients)
    await check()
    await Promise.all([indexAll(ports), indexAll(ports.other), check()])
    await check()
    await live(ports)
    await check()
    await Promise.all([indexAll(ports), indexAll(ports.other), check()])
    await check()
    assert.is(await done(ports.other.clientSearch.indexTexts(7)), 0)
  })

  it('a page ends at until, and what is registered later does not change the pages before', async (ports) => {
    const clients = anyClients()
    const others = clients.slice(0, -1)
    const later = clients.slice(-1)
    await store(ports, others)
    const until = await done(ports.clientSearch.lastPosition)
    await store(ports, later)
    const range = { after: 0, until, limit: clients.length }
    const { clients: found } = await done(ports.other.clientSearch.searchClients({}, facts, range))
    assert.equal(
      found.map(({ client_id }) => client_id),
      others.map(({ client_id }) => client_id),
    )
    assert.ok((await done(ports.clientSearch.lastPosition)) > until)
  })

  it('a client is found by its id, without its credentials', async (ports) => {
    const [client] = anyClients()
    if (client === undefined) throw new Error('there are some')
    assert.equal(await done(ports.clientSearch.findListedClient(client.client_id)), O.none)
    await store(ports, [client])
    assert.equal(
      await done(ports.other.clientSearch.findListedClient(client.client_id)),
      O.some(listedClient(client, unused)),
    )
  })
})
