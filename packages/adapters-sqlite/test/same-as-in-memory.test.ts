import { type ClientAuthorization, type RegisteredClient, type StoragePorts, noLimits } from '@clientele/domain'
import { emptyState, inMemoryStore } from '@clientele/adapters-memory'
import {
  done,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleTime,
  exampleToken,
  listed,
  updatedExample,
} from '@clientele/testing'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { suite } from 'uvu'
import { explained } from './support/explained.js'
import { openOnce } from './support/temporary-store.js'

const model = suite('the store on SQLite and the one in memory')

type Ports = StoragePorts
type Step = { readonly name: string; readonly run: (ports: Ports) => Promise<unknown> }

const names = ['a', 'b', 'B']
const numRuns = Math.ceil(Number(process.env['PROPERTY_RUNS'] ?? 200) / 4)

const client = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('first', 'second'), fc.nat(2))
  .map(([id, life, updates]) =>
    Array.from({ length: updates }).reduce<RegisteredClient>((each) => updatedExample(each), exampleClient(id, life)),
  )
const consumedToken = fc.option(
  fc.constantFrom(...names).map((name) => exampleHash(name)),
  { nil: undefined },
)
const authorization = fc
  .tuple(
    client,
    fc.constantFrom(...names),
    fc.constantFrom<ClientAuthorization['kind']>('refresh_token', 'access_token'),
  )
  .map(([each, name, kind]) => ({ ...exampleAuthorization(each, name), kind }))

const write: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(client, consumedToken).map(([each, hash]) => ({
    name: `add ${each.registration_access_token.hash} for ${hash ?? 'nothing'}`,
    run: (ports: Ports) => ports.registry.addClient(each, O.fromNullable(hash), noLimits)(),
  })),
  client.map((each) => ({
    name: `replace ${each.registration_access_token.hash} ${each.version}`,
    run: (ports: Ports) => ports.registry.replaceClient(updatedExample(each), each)(),
  })),
  client.map((each) => ({
    name: `remove ${each.registration_access_token.hash} ${each.version}`,
    run: (ports: Ports) => ports.registry.removeClient(each.client_id, O.some(each.registration_access_token.hash))(),
  })),
  authorization.map((each) => ({
    name: `record ${each.kind} ${each.hash} of ${each.client_id}`,
    run: (ports: Ports) => ports.authorizations.recordAuthorization(each, exampleTime)(),
  })),
  authorization.map(({ kind, hash }) => ({
    name: `revoke ${kind} ${hash}`,
    run: (ports: Ports) => ports.authorizations.revokeAuthorization(kind, hash)(),
  })),
)

const everything = async ({ registry, initialAccessTokens, authorizations }: Ports): Promise<unknown> => ({
  clients: await listed(registry),
  tokens: await Promise.all(names.map((name) => done(initialAccessTokens.findInitialAccessToken(exampleHash(name))))),
  authorizations: await Promise.all(
    names.flatMap((name) =>
      (['refresh_token', 'access_token'] as const).map((kind) =>
        done(authorizations.findAuthorization(kind, exampleHash(name))),
      ),
    ),
  ),
})

model('answer alike and hold the same, whatever is written, one after the other or at once', async () => {
  const written = fc.array(fc.array(write, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 })
  const alike = fc.asyncProperty(written, async (groups) => {
    const onDisk = await openOnce()
    let state = emptyState()
    try {
      for (const each of [inMemoryStore(state), onDisk])
        for (const name of names)
          await done(each.initialAccessTokens.addInitialAccessToken(exampleToken(name), exampleTime))
      for (const steps of groups) {
        const runs = steps.map(({ run }) => run)
        const outcomes = await Promise.all(runs.map((run) => run(onDisk)))
        state = await explained(state, runs, everything, { outcomes, present: await everything(onDisk) })
      }
    } finally {
      await onDisk.close()
    }
  })
  await fc.assert(alike, { numRuns })
})

model.run()
