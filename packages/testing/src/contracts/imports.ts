// Imports and exports: clients are stored together, each has an outcome, and what was exported comes back as it was.
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { operatorOfTheStore } from '@clientele/domain/authorization'
import { type ClientDraft, readExportedClient } from '@clientele/domain/importing'
import { useTime } from '@clientele/domain/life-cycle'
import { exportClients, importClients, unaudited } from '@clientele/domain/operations'
import type { StoragePorts } from '@clientele/domain/ports'
import { type GeneratedCredentials, type RegistrationSettings, suspendedClient } from '@clientele/domain/registration'
import { epochSecond } from '../arbitraries/credentials.js'
import { issued, registeredClient, registrationSettings, unapproved } from '../arbitraries/registration.js'
import { contract, contracts, done, listed, numbers, race } from './contract.js'
import { register, removeClient, replaceClient } from './steps.js'
import { exampleClient, exampleHash, exampleOrigin, exampleTime, importOf } from '../examples.js'
import { only } from '../ports-in-tests.js'
import { propertyRuns } from '../property-runs.js'

const importing = contract('Imports of clients', (it) => {
  it('imported clients are listed in their order, on every handle; of an empty import nothing is stored', async ({
    registry,
    other,
  }) => {
    const clients = numbers(300).map((nth) => exampleClient(`imported-${nth}`))
    assert.equal(await done(registry.importClients([])), [])
    await done(registry.importClients(clients.slice(0, 256).map((each) => importOf(each))))
    await done(registry.importClients(clients.slice(256).map((each) => importOf(each))))
    assert.equal(await listed(other.registry), clients)
  })

  it('of imports of one client at once, one stores it', async (ports) => {
    const batches = numbers(8).map((nth) => [
      importOf(exampleClient('same', `life-${nth}`)),
      importOf(exampleClient(`own-${nth}`)),
    ])
    const outcomes = await race(ports, batches, ({ registry }, batch) => registry.importClients(batch))
    const results = outcomes.flatMap((outcome) => (E.isRight(outcome) ? [outcome.right.map(E.isRight)] : []))
    assert.is(results.filter(([same]) => same).length, 1)
    assert.is(results.filter(([, own]) => own).length, 8)
    assert.is((await listed(ports.registry)).length, 9)
  })

  it('a client that a set of declared clients takes over belongs to it, also after other changes', async (ports) => {
    const client = exampleClient('declared')
    await register(ports, client)
    const taken = { ...client, version: 2, provenance: { declared: 'team.a', imported: true as const } }
    await done(ports.registry.importClients([importOf(taken, client)]))
    assert.equal(await listed(ports.other.registry), [taken])
    const changed = { ...taken, version: 3 }
    await replaceClient(ports, changed, taken)
    assert.equal(await listed(ports.other.registry), [changed])
  })
})

const operator = operatorOfTheStore()

const exportOf = ({ registry }: StoragePorts) =>
  done(
    exportClients({ ...unaudited, ...registry, now: () => exampleTime })(operator, { origin: exampleOrigin })({
      secrets: true,
    }),
  )

const exported = async (ports: StoragePorts): Promise<ReadonlyArray<unknown>> => {
  const { clients, informationOf } = await exportOf(ports)
  const records: Array<unknown> = []
  for await (const each of clients) {
    if (E.isLeft(each)) throw new Error(`not exported: ${JSON.stringify(each.left)}`)
    records.push(JSON.parse(JSON.stringify(informationOf(each.right))))
  }
  return records
}

const draftOf = (record: unknown): ClientDraft => {
  const read = readExportedClient(record)
  if (read.kind !== 'client') throw new Error(`no client: ${JSON.stringify(record)}`)
  return read.draft
}

const importAll = async (
  { registry }: StoragePorts,
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
  const hashToken = (token: string) => exampleHash(token.slice(0, 43))
  const ports = { ...registry, issue: next, now: () => exampleTime, hashToken }
  const batch = { replace: false, clients: records.map(draftOf) }
  const outcomes = await done(
    importClients(settings, only({ ...unaudited, ...ports }))(operator)({
      origin: exampleOrigin,
      dryRun: false,
      body: E.right(batch),
    }),
  )
  assert.equal(
    outcomes.map(({ outcome, faults }) => ({ outcome, faults })),
    records.map(() => ({ outcome: 'added', faults: [] })),
  )
}

const lived = fc.record({
  client: registeredClient(),
  suspended_at: fc.option(epochSecond(), { nil: undefined }),
  last_use: fc.option(epochSecond(), { nil: undefined }),
  approval: fc.option(unapproved(), { nil: undefined }),
})

const exporting = contract('Exports of clients', (it) => {
  it('what was exported and imported is exported again as it was', async ({ other, ...ports }) => {
    const lives = fc.uniqueArray(lived, { selector: ({ client }) => client.client_id, minLength: 1, maxLength: 5 })
    const values = fc.uniqueArray(issued(), { selector: (each) => each.registration_id, minLength: 5, maxLength: 5 })
    const settings = registrationSettings().map((each) => ({ ...each, outboundFetches: true }))
    const roundTrip = fc.asyncProperty(lives, values, settings, async (clients, generated, chosen) => {
      const empty = async (): Promise<void> => {
        for (const { client_id } of await listed(ports.registry)) await removeClient(ports, client_id)
      }
      try {
        for (const { client: each, last_use, suspended_at, approval } of clients) {
          const client = approval === undefined ? each : { ...each, approval }
          await register(ports, client)
          if (last_use !== undefined) await done(ports.clientUses.recordUse(client, last_use))
          if (suspended_at !== undefined) await replaceClient(ports, suspendedClient(suspended_at)(client), client)
        }
        const records = await exported(other)
        assert.is(records.length, clients.length)
        await empty()
        await importAll(ports, chosen, records, generated)
        assert.equal(await exported(other), records)
      } finally {
        await empty()
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('the uses of more clients than one page has are exported', async (ports) => {
    const clients = numbers(401).map((nth) => exampleClient(`client-${nth}`))
    await done(ports.registry.importClients(clients.map((client) => ({ ...importOf(client), last_use: exampleTime }))))
    const uses: Array<unknown> = []
    for await (const each of (await exportOf(ports)).clients)
      uses.push(E.isRight(each) ? each.right.last_use : each.left)
    assert.equal(
      uses,
      clients.map(() => useTime(exampleTime)),
    )
  })
})

/** The promises of ClientRegistry about an import, and of an export: an import of it continues the life of every client. */
export const importsContract = contracts(importing, exporting)
