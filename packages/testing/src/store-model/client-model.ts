import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import type { TokenHash } from '@clientele/domain/authorization'
import { type EpochSeconds, epochSeconds, secondsAfter } from '@clientele/domain/kernel'
import { type DueParking, defaultLifeCycle, isSuspended, useUnit } from '@clientele/domain/life-cycle'
import type { FilterFacts } from '@clientele/domain/managing'
import {
  type ClientAuthorization,
  type ClientImport,
  type RegistryLimits,
  type StoragePorts,
  type Tombstone,
  noLimits,
} from '@clientele/domain/ports'
import {
  type KeyedRegistration,
  type RegisteredClient,
  resumedClient,
  suspendedClient,
} from '@clientele/domain/registration'
import { done, listed } from '../contracts/contract.js'
import { issueToken } from '../contracts/steps.js'
import {
  addition,
  exampleAuthorization,
  exampleClient,
  exampleHash,
  exampleId,
  exampleParking,
  exampleRemoval,
  exampleTime,
  exampleToken,
  noRow,
  registrationOf,
  removal,
  replacement,
  updatedExample,
} from '../examples.js'
import { type Run, type Seen, type Step, type StoreModel, ago, steps, subsetsOf } from './explain.js'

// Clients and their lives: registered, imported, updated, suspended, used, parked, removed and restored, with their tokens,
// keys and authorizations.

const names = ['a', 'b', 'B']
const name = fc.constantFrom(...names)
const kinds = ['refresh_token', 'access_token', 'sticky_grant'] as const
const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined })

// Time passes by the arguments of the steps.
const day = fc.integer({ min: -2, max: 3 })
const time = day.map((days) => secondsAfter(exampleTime, days * useUnit))
const latest = secondsAfter(exampleTime, 10 * useUnit)

// Without shrinking, so that no counterexample has a registration or a token twice, which the service never generates.
const generated = fc.noShrink(fc.integer({ min: 1, max: 1_000_000_000 }))

const client = fc.tuple(name, generated, fc.constantFrom('token' as const, 'nobody' as const), time)
type Drawn = typeof client extends fc.Arbitrary<infer Value> ? Value : never

const clientOf = ([id, drawn, registered_by, client_id_issued_at]: Drawn): RegisteredClient => ({
  ...exampleClient(id, `life-${drawn}`),
  registered_by,
  client_id_issued_at,
})

const seenClient = ({ clients }: Seen, back: number): RegisteredClient => clients.at(-back) ?? exampleClient('never')
const hashOf = ({ registration_access_token }: RegisteredClient): TokenHash => registration_access_token.hash
const digestOf = (id: string): TokenHash => exampleHash(`digest-of-${id}`)
const tombstoneOf = (id: string): Tombstone => ({ id: digestOf(id), until: latest })

const withoutPrecedingToken = (read: RegisteredClient): RegisteredClient => {
  const { preceding_token, ...others } = read
  return preceding_token === undefined ? read : others
}

/** With other credentials and metadata; an open client remains one. */
const updated = (read: RegisteredClient): RegisteredClient => {
  const { secret, registration_access_token, metadata } = updatedExample(read, `updated-${read.version}`)
  return { ...withoutPrecedingToken(read), secret, registration_access_token, metadata, version: read.version + 1 }
}

const limits: fc.Arbitrary<RegistryLimits> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(noLimits) },
  fc.integer({ min: 1, max: 2 }).map((clients) => ({ ...noLimits, clients })),
  fc.constant({ ...noLimits, unusedOpenClients: 1 }),
)

const prints = ['one', 'two']
const keys = ['one key', 'another'].map((key) => exampleHash(key.replace(' ', '-')))

const keyedAs = (key: TokenHash, client: RegisteredClient): KeyedRegistration => ({
  ...registrationOf(client),
  key,
  request: exampleHash(client.registration_id),
  // Such a registration never expires in this model: a store may keep it for some time.
  expires_at: latest,
})

const registration = steps(
  'register, for the token that was read so many reads ago, within limits, with a fingerprint and a key',
  [client, maybe(ago), limits, maybe(fc.constantFrom(...prints)), fc.option(fc.constantFrom(...keys), { freq: 2 })],
  ({ registry }, { initialAccessTokens }, drawn, back, bounds, print, key) =>
    registry.addClient(
      addition(clientOf(drawn), {
        consumedToken: back === undefined ? O.none : O.some(initialAccessTokens.at(-back) ?? exampleHash('never')),
        limits: bounds,
        fingerprint: print === undefined ? undefined : exampleHash(print),
        keyed: key === null ? undefined : keyedAs(key, clientOf(drawn)),
      }),
    ),
)

type Imported = {
  readonly back: number | undefined
  readonly since: number | undefined
  readonly use: number | undefined
}

const importOf =
  (seen: Seen) =>
  ([drawn, { back, since, use }]: readonly [Drawn, Imported]): ClientImport => {
    const replacing = back === undefined ? undefined : seenClient(seen, back)
    const waits = since === undefined ? {} : { waits_since: secondsAfter(exampleTime, since * useUnit) }
    const imported = {
      ...(replacing === undefined ? clientOf(drawn) : updated(replacing)),
      ...waits,
      provenance: { imported: true as const },
    }
    const last_use = use === undefined ? undefined : secondsAfter(exampleTime, use * useUnit)
    return { client: imported, replacing, last_use, audit: noRow }
  }

const imported = fc.tuple(client, fc.record({ back: maybe(ago), since: maybe(day), use: maybe(day) }))

const importing = steps(
  'import, in place of what was read so many reads ago or of nothing, used and waiting since some days',
  [fc.array(imported, { minLength: 1, maxLength: 3 })],
  ({ registry }, seen, batch) => {
    const imports = batch.map(importOf(seen))
    // Each id stands once.
    const first = imports.filter(
      ({ client: { client_id } }, nth) => nth === imports.findIndex((each) => each.client.client_id === client_id),
    )
    return registry.importClients(first)
  },
)

/** Changes of a client that was read. */
const changes = {
  update: updated,
  'update, with the token of before': (read: RegisteredClient, until: EpochSeconds): RegisteredClient => ({
    ...updated(read),
    preceding_token: { hash: hashOf(read), until },
  }),
  'end the preceding token': withoutPrecedingToken,
  'take over': (read: RegisteredClient): RegisteredClient => ({ ...updated(read), registered_by: 'master' }),
  suspend: (read: RegisteredClient, at: EpochSeconds) => suspendedClient(at)(read),
  resume: (read: RegisteredClient, at: EpochSeconds) => resumedClient(at)(read),
} as const

const change = fc.constantFrom<keyof typeof changes>(
  'update',
  'update, with the token of before',
  'end the preceding token',
  'take over',
  'suspend',
  'resume',
)

const changing = steps(
  'change what was read so many reads ago, at a time',
  [change, ago, time],
  ({ registry }, seen, what, back, at) => {
    const read = seenClient(seen, back)
    return registry.replaceClient(replacement(changes[what](read, at), read))
  },
)

const removing = steps(
  'remove the client, by what was read so many reads ago',
  [
    name,
    ago,
    fc.record({ byToken: fc.boolean(), asRead: fc.boolean(), buried: fc.boolean() }, { noNullPrototype: true }),
  ],
  ({ registry }, seen, id, back, { byToken, asRead, buried }) => {
    const read = seenClient(seen, back)
    return registry.removeClient(
      removal(byToken || asRead ? read.client_id : exampleId(id), {
        token: byToken ? O.some(hashOf(read)) : O.none,
        tombstone: buried ? tombstoneOf(read.client_id) : undefined,
        read: asRead ? read : undefined,
      }),
    )
  },
)

const finding = steps(
  'find the client or the own one, by the token of what was read so many reads ago',
  [name, ago, fc.boolean()],
  ({ registry }, seen, id, back, own) => {
    const read = seenClient(seen, back)
    return registry.findClientByToken(own ? read.client_id : exampleId(id), hashOf(read))
  },
)

// Parking may leave a client that another step changes at the same time to the next pass.

/** Suspends the clients for the time of the step, in which no suspended one is parked. */
const parkWithout =
  (due: DueParking, max: number) =>
  (skipped: ReadonlyArray<string>): Run =>
  ({ registry, clientUses }) =>
  async () => {
    const suspended: Array<RegisteredClient> = []
    for (const id of skipped) {
      const client = O.toUndefined(await done(registry.findClient(exampleId(id))))
      if (client === undefined || isSuspended(client)) continue
      await done(registry.replaceClient(replacement({ ...client, suspended_at: exampleTime }, client)))
      suspended.push(client)
    }
    const outcome = await clientUses.parkUnused(due, max)()
    for (const client of suspended) await done(registry.replaceClient(replacement(client, client)))
    return outcome
  }

const notice = fc.integer({ min: 1, max: 2 })

const lifeCycle: fc.Arbitrary<Step> = fc.oneof(
  steps('use what was read so many reads ago, at a time', [ago, time], ({ clientUses }, seen, back, at) =>
    clientUses.recordUse(seenClient(seen, back), at),
  ),
  steps('observe a day', [time], ({ clientUses }, _, at) => clientUses.observeDay(at)),
  // Those whose notice is longer are parked anew in any order: no more than the maximum only where there are none.
  steps(
    'park those that wait since a time, at a time, with so many days of notice, and so many at most',
    [time, time, fc.oneof(fc.tuple(fc.constant(2), fc.nat(2)), fc.tuple(fc.constant(1), fc.constant(100)))],
    ({ clientUses }, _, until, at, [of, max]) => clientUses.parkUnused(exampleParking(until, at, of), max),
    (until, at, [of, max]) => subsetsOf(names).map(parkWithout(exampleParking(until, at, of), max)),
  ),
  steps(
    'remove what was read so many reads ago if it waits since and was parked by a time, and keep it aside at a time',
    [ago, time, time, notice, maybe(time)],
    ({ clientUses }, seen, back, until, parkedUntil, of, removedAt) => {
      const read = seenClient(seen, back)
      const tombstone = { ...tombstoneOf(read.client_id), until: parkedUntil }
      return clientUses.removeParked(read, exampleRemoval(until, parkedUntil, of), tombstone, removedAt, noRow)
    },
  ),
  steps(
    'restore the client if it was removed after a time, waiting since a time',
    [name, time, time, fc.boolean()],
    ({ clientUses }, _, id, since, at, unburied) =>
      clientUses.restoreRemoved(exampleId(id), { since, at, tombstone: unburied ? digestOf(id) : undefined }, noRow),
  ),
  steps(
    'forget those that were removed until a time, so many at most',
    [time, fc.nat(2)],
    ({ clientUses }, _, until, max) => clientUses.forgetRemoved(until, max),
  ),
)

const initialAccessToken: fc.Arbitrary<Step> = fc.oneof(
  steps(
    'issue a token, of what was read so many reads ago or of nobody',
    [generated, maybe(ago)],
    ({ initialAccessTokens }, seen, drawn, back) => {
      const owned = back === undefined ? {} : { owner: registrationOf(seenClient(seen, back)) }
      const token = { ...exampleToken(`token-${drawn}`), ...owned }
      return initialAccessTokens.addInitialAccessToken(token, exampleTime, noRow)
    },
  ),
  steps('remove the token that was read so many reads ago', [ago], ({ initialAccessTokens }, seen, back) =>
    initialAccessTokens.removeInitialAccessToken(seen.initialAccessTokens.at(-back) ?? exampleHash('never'), noRow),
  ),
)

const kind = fc.constantFrom<ClientAuthorization['kind']>(...kinds)

const grant: fc.Arbitrary<Step> = fc.oneof(
  steps(
    'record an authorization of what was read so many reads ago',
    [ago, name, kind],
    ({ authorizations }, seen, back, text, of) => {
      const recorded = { ...exampleAuthorization(seenClient(seen, back), text), kind: of }
      return authorizations.recordAuthorization(recorded, exampleTime)
    },
  ),
  steps('revoke', [name, kind], ({ authorizations }, _, text, of) =>
    authorizations.revokeAuthorization(of, exampleHash(text)),
  ),
)

const facts: FilterFacts = { now: latest, lifeCycle: defaultLifeCycle }

const lookAtUses = async ({ clientUses }: StoragePorts): Promise<unknown> => ({
  uses: await done(clientUses.findUses(names.map(exampleId))),
  parked: await done(clientUses.listParked(exampleRemoval(latest), 100)),
  count: await done(clientUses.countParked(exampleRemoval(latest, latest, 2), 100)),
  observed: await done(clientUses.observedDays(latest, 100)),
  removed: await done(clientUses.listRemoved(epochSeconds(0), { after: 0, max: 100 })),
  unused: await Promise.all(prints.map((each) => done(clientUses.findUnused(exampleHash(each))))),
  remembered: await Promise.all(names.map((each) => done(clientUses.isRemembered(digestOf(each), exampleTime)))),
})

/** Registrations, their limits and initial access tokens, updates, removals and authorizations. */
export const clientModel: StoreModel = {
  name: 'clients, initial access tokens and authorizations',
  prepare: async (ports) => {
    for (const each of names) await issueToken(ports, exampleToken(each))
  },
  step: fc.oneof(
    { weight: 3, arbitrary: registration },
    { weight: 2, arbitrary: importing },
    { weight: 3, arbitrary: changing },
    { weight: 1, arbitrary: removing },
    { weight: 1, arbitrary: finding },
    { weight: 1, arbitrary: initialAccessToken },
    { weight: 2, arbitrary: grant },
    { weight: 4, arbitrary: lifeCycle },
  ),
  look: async (ports) => ({
    clients: await listed(ports.registry),
    found: await done(ports.registry.findClients(names.map(exampleId))),
    keyed: await Promise.all(keys.map((key) => done(ports.registry.findKeyedRegistration(key)))),
    shown: await done(ports.clientSearch.searchClients({}, facts, { after: 0, limit: 100 })),
    tokens: await done(ports.initialAccessTokens.listInitialAccessTokens(exampleTime, 100)),
    authorizations: await Promise.all(
      names.flatMap((each) => kinds.map((of) => done(ports.authorizations.findAuthorization(of, exampleHash(each))))),
    ),
    life: await lookAtUses(ports),
  }),
}
