import {
  type ClientAuthorization,
  type RegisteredClient,
  type RegistryLimits,
  type StoragePorts,
  type TokenHash,
  epochSeconds,
  noLimits,
  secondsAfter,
  useUnit,
} from '@clientele/domain'
import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { done, listed } from '../contracts/open-store.js'
import {
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleRemoval,
  exampleTime,
  exampleToken,
  updatedExample,
} from '../examples/examples.js'
import { parkUnused } from './park-unused.js'
import { type Step, type StoreModel, ago } from './step.js'

const names = ['a', 'b', 'B']
const lives = ['first', 'second']
const kinds = ['refresh_token', 'access_token'] as const
const name = fc.constantFrom(...names)

// An open client (isOpenClient) remains one in this model.
const updated = (client: RegisteredClient): RegisteredClient => ({
  ...updatedExample(client, `updated-${client.version}`),
  registered_by: client.registered_by,
})
const client = fc
  .tuple(name, fc.constantFrom(...lives), fc.nat(2), fc.constantFrom('token' as const, 'nobody' as const))
  .map(([id, life, updates, registered_by]) =>
    Array.from({ length: updates }).reduce<RegisteredClient>((each) => updated(each), {
      ...exampleClient(id, life),
      registered_by,
    }),
  )
const limits: fc.Arbitrary<RegistryLimits> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(noLimits) },
  fc.integer({ min: 1, max: 2 }).map((clients) => ({ ...noLimits, clients })),
  fc.constant({ ...noLimits, unusedOpenClients: 1 }),
)
const authorization = fc
  .tuple(client, name, fc.constantFrom<ClientAuthorization['kind']>(...kinds))
  .map(([each, text, kind]) => ({ ...exampleAuthorization(each, text), kind }))

const prints = ['one', 'two']
const print = fc.option(fc.constantFrom(...prints), { nil: undefined })
const registration = fc
  .tuple(client, fc.option(ago, { nil: undefined }), limits, print)
  .map(([each, back, bounds, text]): Step => ({
    name: `register ${each.registration_access_token.hash} as ${text ?? 'any'} for the token of ${back ?? 'never'} ago, at most ${JSON.stringify(bounds)}`,
    run: ({ registry }, { initialAccessTokens }) => {
      const token = back === undefined ? O.none : O.some(initialAccessTokens.at(-back) ?? exampleHash('never'))
      return registry.addClient(each, token, bounds, text === undefined ? undefined : exampleHash(text))
    },
  }))

const configuration: fc.Arbitrary<Step> = fc.oneof(
  client.map((each): Step => ({
    name: `replace ${each.registration_access_token.hash} ${each.version}`,
    run: ({ registry }) => registry.replaceClient(updated(each), each),
  })),
  fc.tuple(client, fc.boolean()).map(([each, byToken]): Step => ({
    name: `remove ${each.client_id}${byToken ? ` by ${each.registration_access_token.hash}` : ''}`,
    run: ({ registry }) =>
      registry.removeClient(each.client_id, byToken ? O.some(each.registration_access_token.hash) : O.none),
  })),
  client.map((each): Step => ({
    name: `find ${each.client_id} by ${each.registration_access_token.hash}`,
    run: ({ registry }) => registry.findClientByToken(each.client_id, each.registration_access_token.hash),
  })),
)

// Without shrinking, so that no counterexample has a token twice, which the service never generates.
const generatedToken = fc.noShrink(fc.integer({ min: 1, max: 1_000_000_000 })).map((drawn) => `token-${drawn}`)

const time = fc.integer({ min: -2, max: 3 }).map((days) => secondsAfter(exampleTime, days * useUnit))
const digestOf = (id: string): TokenHash => exampleHash(`digest-of-${id}`)

// Time passes by the arguments of these steps.
const lifeCycle: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(client, time).map(([each, at]): Step => ({
    name: `use ${each.registration_id} at ${at}`,
    run: ({ clientUses }) => clientUses.recordUse(each, at),
  })),
  fc.tuple(time, fc.nat(2)).map(([until, max]) => parkUnused(until, max, { ids: names, prints })),
  fc.tuple(client, time, fc.option(time, { nil: undefined })).map(([each, until, removedAt]): Step => ({
    name: `remove ${each.registration_id} if parked by ${until}, remembered until then, kept aside at ${removedAt ?? 'no time'}`,
    run: ({ clientUses }) =>
      clientUses.removeParked(each, exampleRemoval(until), { id: digestOf(each.client_id), until }, removedAt),
  })),
  fc.tuple(name, time, time).map(([id, since, at]): Step => ({
    name: `restore ${id} if removed after ${since}, waiting since ${at}`,
    run: ({ clientUses }) => clientUses.restoreRemoved(exampleId(id), { since, at, tombstone: digestOf(id) }),
  })),
  fc.tuple(time, fc.nat(2)).map(([until, max]): Step => ({
    name: `forget ${max} that were removed until ${until}`,
    run: ({ clientUses }) => clientUses.forgetRemoved(until, max),
  })),
  client.map((each): Step => ({
    name: `suspend ${each.registration_access_token.hash} ${each.version}`,
    run: ({ registry }) => registry.replaceClient({ ...updated(each), suspended_at: exampleTime }, each),
  })),
)

const initialAccessToken: fc.Arbitrary<Step> = fc.oneof(
  generatedToken.map((text): Step => ({
    name: `issue ${text}`,
    run: ({ initialAccessTokens }) => initialAccessTokens.addInitialAccessToken(exampleToken(text), exampleTime),
  })),
  ago.map((back): Step => ({
    name: `remove the token of ${back} ago`,
    run: ({ initialAccessTokens }, seen) =>
      initialAccessTokens.removeInitialAccessToken(seen.initialAccessTokens.at(-back) ?? exampleHash('never')),
  })),
)

const grant: fc.Arbitrary<Step> = fc.oneof(
  authorization.map((each): Step => ({
    name: `record ${each.kind} ${each.hash} of ${each.registration_id}`,
    run: ({ authorizations }) => authorizations.recordAuthorization(each, exampleTime),
  })),
  authorization.map(({ kind, hash }): Step => ({
    name: `revoke ${kind} ${hash}`,
    run: ({ authorizations }) => authorizations.revokeAuthorization(kind, hash),
  })),
)

const authorizationsOf = ({ authorizations }: StoragePorts): Promise<ReadonlyArray<unknown>> =>
  Promise.all(
    names.flatMap((each) => kinds.map((kind) => done(authorizations.findAuthorization(kind, exampleHash(each))))),
  )

/** Registrations, their limits and initial access tokens, updates, removals and authorizations. */
export const clientModel: StoreModel = {
  name: 'clients, initial access tokens and authorizations',
  prepare: async ({ initialAccessTokens }) => {
    for (const each of names) await done(initialAccessTokens.addInitialAccessToken(exampleToken(each), exampleTime))
  },
  step: fc.oneof(
    { weight: 3, arbitrary: registration },
    { weight: 3, arbitrary: configuration },
    { weight: 1, arbitrary: initialAccessToken },
    { weight: 2, arbitrary: grant },
    { weight: 3, arbitrary: lifeCycle },
  ),
  look: async (ports) => ({
    clients: await listed(ports.registry),
    found: await done(ports.registry.findClients(names.map(exampleId))),
    uses: await done(ports.clientUses.findUses(names.map(exampleId))),
    parked: await done(ports.clientUses.listParked(exampleRemoval(secondsAfter(exampleTime, 10 * useUnit)), 100)),
    observed: await done(ports.clientUses.observedDays(secondsAfter(exampleTime, 10 * useUnit), 100)),
    removed: await done(ports.clientUses.listRemoved(epochSeconds(0), { after: 0, max: 100 })),
    unused: await Promise.all(prints.map((each) => done(ports.clientUses.findUnused(exampleHash(each))))),
    remembered: await Promise.all(
      names.map((each) => done(ports.clientUses.isRemembered(digestOf(each), exampleTime))),
    ),
    tokens: await done(ports.initialAccessTokens.listInitialAccessTokens(exampleTime, 100)),
    authorizations: await authorizationsOf(ports),
  }),
}
