import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  clientFormats,
  exportClients,
  importClients,
  noLimits,
  operatorOfTheStore,
  suspendedClient,
  useTime,
  type ClientDraft,
  type GeneratedCredentials,
  type RegisteredClient,
  type RegistrationSettings,
} from '@clientele/domain'
import { epochSecond, issued } from '../arbitraries/generated-credentials.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import { registrationSettings } from '../arbitraries/settings.js'
import { exampleClient, exampleHash, exampleTime } from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type Contract, collect, onNewStore } from './contract.js'
import { type OpenStore, type StoreHandle, done } from './open-store.js'

type Ports = Pick<StoreHandle, 'registry' | 'clientUses'>

const operator = operatorOfTheStore()
const hashToken = (token: string) => exampleHash(token.slice(0, 43))

const exporting = (registry: Ports['registry']) => exportClients({ ...registry, now: () => exampleTime })(operator)

const exported = async ({ registry }: Ports): Promise<ReadonlyArray<unknown>> => {
  const { clients, informationOf } = await done(exporting(registry)({ secrets: true }))
  const records: Array<unknown> = []
  for await (const each of clients) {
    if (E.isLeft(each)) throw new Error(`not exported: ${JSON.stringify(each.left)}`)
    records.push(JSON.parse(JSON.stringify(informationOf(each.right))))
  }
  return records
}

const draftOf = (record: unknown): ClientDraft => {
  const read = clientFormats.clientele.read(record)
  if (read.kind !== 'client') throw new Error(`no client: ${JSON.stringify(record)}`)
  return read.draft
}

const imported = async (
  { registry }: Ports,
  settings: RegistrationSettings,
  records: ReadonlyArray<unknown>,
  generated: ReadonlyArray<GeneratedCredentials>,
): Promise<void> => {
  const waiting = [...generated]
  const next = (): GeneratedCredentials => {
    const values = waiting.pop()
    if (values === undefined) throw new Error('no values are left')
    return values
  }
  const ports = { ...registry, issue: next, now: () => next().at, hashToken }
  const batch = { replace: false, clients: records.map(draftOf) }
  const outcomes = await done(importClients(settings, ports)(operator)({ dryRun: false, body: E.right(batch) }))
  assert.equal(
    outcomes.map(({ outcome, faults }) => ({ outcome, faults })),
    records.map(() => ({ outcome: 'added', faults: [] })),
  )
}

type Lived = {
  readonly client: RegisteredClient
  readonly suspended_at: RegisteredClient['suspended_at']
  readonly last_use: RegisteredClient['suspended_at']
}

const lived = (): fc.Arbitrary<Lived> =>
  fc.record({
    client: registeredClient(),
    suspended_at: fc.option(epochSecond(), { nil: undefined }),
    last_use: fc.option(epochSecond(), { nil: undefined }),
  })

const live = async ({ registry, clientUses }: Ports, { client, suspended_at, last_use }: Lived): Promise<void> => {
  await done(registry.addClient(client, O.none, noLimits))
  if (last_use !== undefined) await done(clientUses.recordUse(client, last_use))
  if (suspended_at !== undefined) await done(registry.replaceClient(suspendedClient(suspended_at)(client), client))
}

/** The promise of an export: an import of it continues the life of every client. */
export const clientExportContract = (name: string, open: OpenStore<'registry' | 'clientUses'>): Contract => {
  const { test, tests } = collect(`exports ${name}`)
  const it = onNewStore(test, open)

  it('what was exported and imported is exported again as it was', async ({ other, ...ports }) => {
    const lives = fc.uniqueArray(lived(), { selector: ({ client }) => client.client_id, minLength: 1, maxLength: 5 })
    const values = fc.uniqueArray(issued(), {
      selector: ({ registration_id }) => registration_id,
      minLength: 5,
      maxLength: 5,
    })
    const settings = registrationSettings().map((each) => ({ ...each, outboundFetches: true }))
    const empty = async (clients: ReadonlyArray<Lived>): Promise<void> => {
      for (const { client } of clients) await done(ports.registry.removeClient(client.client_id, O.none))
    }
    const roundTrip = fc.asyncProperty(lives, values, settings, async (clients, generated, chosen) => {
      try {
        for (const each of clients) await live(ports, each)
        const records = await exported(other)
        assert.is(records.length, clients.length)
        await empty(clients)
        await imported(ports, chosen, records, generated)
        assert.equal(await exported(other), records)
      } finally {
        await empty(clients)
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('the uses of more clients than one page has are exported', async ({ registry }) => {
    const clients = Array.from({ length: 401 }, (_, index) => exampleClient(`client-${index}`))
    await done(
      registry.importClients(clients.map((client) => ({ client, replacing: undefined, last_use: exampleTime }))),
    )
    const { clients: list } = await done(exporting(registry)({ secrets: false }))
    const uses: Array<unknown> = []
    for await (const each of list) uses.push(E.isRight(each) ? each.right.last_use : each.left)
    assert.equal(
      uses,
      clients.map(() => useTime(exampleTime)),
    )
  })

  return tests
}
