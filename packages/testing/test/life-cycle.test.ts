import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTurns } from '@clientele/domain/operations'
import type { ClientRegistry } from '@clientele/domain/ports'
import { inMemoryStore, type InMemoryStore } from '@clientele/adapters-memory'
import { lifeCycleCommands, liveLifeCycle, useCasesAsSubject } from '../src/index.js'
import { noPauses } from '../src/ports-in-tests.js'
import { propertyRuns, runParameters } from '../src/property-runs.js'

const LifeCycle = suite('life cycle against a model, in memory')
const secretLifetime = 1_000

const livesOn = (openStore: () => Pick<InMemoryStore, 'registry' | 'initialAccessTokens'>, grace = 0) =>
  fc.asyncProperty(lifeCycleCommands({ secretLifetime, grace }), (commands) =>
    liveLifeCycle(commands, useCasesAsSubject({ ...openStore(), turns: createTurns(noPauses) }, secretLifetime, grace)),
  )

LifeCycle('one after another: issue, register, read, update, delete, list, with expiry', () =>
  fc.assert(livesOn(inMemoryStore), runParameters()),
)

LifeCycle('the same with answers of updates that are lost', () =>
  fc.assert(livesOn(inMemoryStore, 500), runParameters()),
)

LifeCycle('lives beside each other: each as if alone', () => {
  const lives = fc.array(lifeCycleCommands({ secretLifetime, beside: true, maxCommands: 30 }), {
    minLength: 2,
    maxLength: 8,
  })
  return fc.assert(
    fc.asyncProperty(lives, async (sequences) => {
      const subject = useCasesAsSubject({ ...inMemoryStore(), turns: createTurns(noPauses) }, secretLifetime)
      await Promise.all(sequences.map((commands) => liveLifeCycle(commands, subject)))
    }),
    { ...runParameters(), numRuns: Math.ceil(propertyRuns() / 4) },
  )
})

const invalidStores: Readonly<Record<string, (registry: ClientRegistry) => Partial<ClientRegistry>>> = {
  'spends no token': ({ addClient }) => ({ addClient: (added) => addClient({ ...added, consumedToken: O.none }) }),
  'keeps the old registration access token': ({ replaceClient }) => ({
    replaceClient: ({ next, replacing, audit }) => {
      const { registration_access_token } = replacing
      return replaceClient({ next: { ...next, registration_access_token }, replacing, audit })
    },
  }),
  'forgets an update': () => ({ replaceClient: () => TE.right(undefined) }),
  'removes nothing': () => ({ removeClient: () => TE.right(undefined) }),
  'lists backwards': ({ streamClients }) => ({
    streamClients: async function* () {
      const all = []
      for await (const each of streamClients()) all.unshift(each)
      yield* all
    },
  }),
}

const invalidInGrace: typeof invalidStores = {
  'never ends a preceding token': ({ replaceClient }) => ({
    replaceClient: (replacement) =>
      replacement.next.version === replacement.replacing.version ? TE.right(undefined) : replaceClient(replacement),
  }),
  'finds by the newest token alone': ({ findClientByToken }) => ({
    findClientByToken: (id, token) =>
      pipe(
        findClientByToken(id, token),
        TE.map(O.filter(({ registration_access_token }) => registration_access_token.hash === token)),
      ),
  }),
}

const graces = [
  [0, invalidStores],
  [500, invalidInGrace],
] as const

for (const [grace, what, wrong] of graces.flatMap(([seconds, stores]) =>
  Object.entries(stores).map(([name, store]) => [seconds, name, store] as const),
))
  LifeCycle(`a store is found out that ${what}`, async () => {
    const invalid = () => {
      const { registry, initialAccessTokens } = inMemoryStore()
      return { initialAccessTokens, registry: { ...registry, ...wrong(registry) } }
    }
    const { failed, counterexample } = await fc.check(livesOn(invalid, grace), { seed: 1, numRuns: 500 })
    assert.ok(failed)
    // The smallest sequence that shows the fault
    assert.ok([...(counterexample?.[0] ?? [])].length <= 6)
  })

LifeCycle.run()
