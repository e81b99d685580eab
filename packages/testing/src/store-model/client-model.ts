import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import type { TokenHash } from '@clientele/domain/authorization'
import { epochSeconds, secondsAfter } from '@clientele/domain/kernel'
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
import { type Run, type Seen, type Step, type StoreModel, ago, subsetsOf } from './explain.js'

// Parking may leave a client that another step changes at the same time to the next pass.

/** Suspends the clients for the time of the step, in which no suspended one is parked. */
const parkWithout =
  (skipped: ReadonlyArray<string>, park: Run): Run =>
  (ports, seen) =>
  async () => {
    const { registry }: StoragePorts = ports
    const suspended: Array<RegisteredClient> = []
    for (const id of skipped) {
      const client = O.toUndefined(await done(registry.findClient(exampleId(id))))
      if (client === undefined || isSuspended(client)) continue
      await done(registry.replaceClient(replacement({ ...client, suspended_at: exampleTime }, client)))
      suspended.push(client)
    }
    const outcome = await park(ports, seen)()
    for (const client of suspended) await done(registry.replaceClient(replacement(client, client)))
    return outcome
  }

/** Parks those clients of these ids that are due, all or some of them. */
export const parkUnused = (due: DueParking, max: number, ids: ReadonlyArray<string>): Step => {
  const run: Run = ({ clientUses }) => clientUses.parkUnused(due, max)
  return {
    name: `park ${max} of ${JSON.stringify(due)}`,
    run,
    permitted: subsetsOf(ids).map((skipped) => parkWithout(skipped, run)),
  }
}

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

const client = fc
  .tuple(name, generated, fc.constantFrom('token' as const, 'nobody' as const), time)
  .map(([id, drawn, registered_by, client_id_issued_at]) => ({
    ...exampleClient(id, `life-${drawn}`),
    registered_by,
    client_id_issued_at,
  }))

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

const registration = fc
  .tuple(
    client,
    maybe(ago),
    limits,
    maybe(fc.constantFrom(...prints)),
    fc.option(fc.constantFrom(...keys), { freq: 2 }),
  )
  .map(([each, back, bounds, print, key]): Step => ({
    name: `register ${each.registration_id} of ${each.registered_by} as ${print ?? 'any'} under ${key ?? 'no key'} for the token of ${back ?? 'never'} ago, at most ${JSON.stringify(bounds)}`,
    run: ({ registry }, { initialAccessTokens }) =>
      registry.addClient(
        addition(each, {
          consumedToken: back === undefined ? O.none : O.some(initialAccessTokens.at(-back) ?? exampleHash('never')),
          limits: bounds,
          fingerprint: print === undefined ? undefined : exampleHash(print),
          keyed: key === null ? undefined : keyedAs(key, each),
        }),
      ),
  }))

type Imported = {
  readonly back: number | undefined
  readonly since: number | undefined
  readonly use: number | undefined
}

const importOf =
  (seen: Seen) =>
  ([each, { back, since, use }]: readonly [RegisteredClient, Imported]): ClientImport => {
    const replacing = back === undefined ? undefined : seenClient(seen, back)
    const waits = since === undefined ? {} : { waits_since: secondsAfter(exampleTime, since * useUnit) }
    const imported = {
      ...(replacing === undefined ? each : updated(replacing)),
      ...waits,
      provenance: { imported: true as const },
    }
    const last_use = use === undefined ? undefined : secondsAfter(exampleTime, use * useUnit)
    return { client: imported, replacing, last_use, audit: noRow }
  }

const importing = fc
  .array(fc.tuple(client, fc.record({ back: maybe(ago), since: maybe(day), use: maybe(day) })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((batch): Step => ({
    name: `import ${JSON.stringify(batch.map(([each, how]) => ({ ...how, registration: each.registration_id })))}`,
    run: ({ registry }, seen) => {
      const imports = batch.map(importOf(seen))
      // Each id stands once.
      const first = imports.filter(
        ({ client: { client_id } }, nth) => nth === imports.findIndex((each) => each.client.client_id === client_id),
      )
      return registry.importClients(first)
    },
  }))

/** A change of the client that was read so many reads ago. */
const changes: Readonly<
  Record<string, (read: RegisteredClient, at: ReturnType<typeof epochSeconds>) => RegisteredClient>
> = {
  update: updated,
  'update, with the token of before,': (read, at) => ({
    ...updated(read),
    preceding_token: { hash: hashOf(read), until: at },
  }),
  'end the preceding token of': withoutPrecedingToken,
  'take over': (read) => ({ ...updated(read), registered_by: 'master' }),
  suspend: (read, at) => suspendedClient(at)(read),
  resume: (read, at) => resumedClient(at)(read),
}

const changing = fc
  .tuple(fc.constantFrom(...Object.entries(changes)), ago, time)
  .map(([[what, change], back, at]): Step => ({
    name: `${what} what was read ${back} ago, at ${at}`,
    run: ({ registry }, seen) => {
      const read = seenClient(seen, back)
      return registry.replaceClient(replacement(change(read, at), read))
    },
  }))

const removing = fc
  .record({ id: name, back: ago, byToken: fc.boolean(), asRead: fc.boolean(), buried: fc.boolean() })
  .map(({ id, back, byToken, asRead, buried }): Step => ({
    name: `remove ${id}${byToken ? ' by the token' : ''}${asRead ? ' in the version' : ''} of what was read ${back} ago${buried ? ', remembered' : ''}`,
    run: ({ registry }, seen) => {
      const read = seenClient(seen, back)
      return registry.removeClient(
        removal(byToken || asRead ? read.client_id : exampleId(id), {
          token: byToken ? O.some(hashOf(read)) : O.none,
          tombstone: buried ? tombstoneOf(read.client_id) : undefined,
          read: asRead ? read : undefined,
        }),
      )
    },
  }))

const finding = fc.tuple(name, ago, fc.boolean()).map(([id, back, own]): Step => ({
  name: `find ${own ? 'it' : id} by the token of what was read ${back} ago`,
  run: ({ registry }, seen) => {
    const read = seenClient(seen, back)
    return registry.findClientByToken(own ? read.client_id : exampleId(id), hashOf(read))
  },
}))

const notice = fc.integer({ min: 1, max: 2 })

const lifeCycle: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(ago, time).map(([back, at]): Step => ({
    name: `use what was read ${back} ago at ${at}`,
    run: ({ clientUses }, seen) => clientUses.recordUse(seenClient(seen, back), at),
  })),
  time.map((at): Step => ({ name: `observe ${at}`, run: ({ clientUses }) => clientUses.observeDay(at) })),
  // Those whose notice is longer are parked anew in any order: no more than the maximum only where there are none.
  fc
    .tuple(time, time, fc.oneof(fc.tuple(fc.constant(2), fc.nat(2)), fc.tuple(fc.constant(1), fc.constant(100))))
    .map(([until, at, [of, max]]) => parkUnused(exampleParking(until, at, of), max, names)),
  fc.tuple(ago, time, time, notice, maybe(time)).map(([back, until, parkedUntil, of, removedAt]): Step => ({
    name: `remove what was read ${back} ago if it waits since ${until} and was parked by ${parkedUntil} with ${of} days, kept aside at ${removedAt ?? 'no time'}`,
    run: ({ clientUses }, seen) => {
      const read = seenClient(seen, back)
      const tombstone = { ...tombstoneOf(read.client_id), until: parkedUntil }
      return clientUses.removeParked(read, exampleRemoval(until, parkedUntil, of), tombstone, removedAt, noRow)
    },
  })),
  fc.tuple(name, time, time, fc.boolean()).map(([id, since, at, unburied]): Step => ({
    name: `restore ${id} if removed after ${since}, waiting since ${at}`,
    run: ({ clientUses }) =>
      clientUses.restoreRemoved(exampleId(id), { since, at, tombstone: unburied ? digestOf(id) : undefined }, noRow),
  })),
  fc.tuple(time, fc.nat(2)).map(([until, max]): Step => ({
    name: `forget ${max} that were removed until ${until}`,
    run: ({ clientUses }) => clientUses.forgetRemoved(until, max),
  })),
)

const initialAccessToken: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(generated, maybe(ago)).map(([drawn, back]): Step => ({
    name: `issue token-${drawn} of ${back === undefined ? 'nobody' : `what was read ${back} ago`}`,
    run: ({ initialAccessTokens }, seen) => {
      const owned = back === undefined ? {} : { owner: registrationOf(seenClient(seen, back)) }
      return initialAccessTokens.addInitialAccessToken(
        { ...exampleToken(`token-${drawn}`), ...owned },
        exampleTime,
        noRow,
      )
    },
  })),
  ago.map((back): Step => ({
    name: `remove the token of ${back} ago`,
    run: ({ initialAccessTokens }, seen) =>
      initialAccessTokens.removeInitialAccessToken(seen.initialAccessTokens.at(-back) ?? exampleHash('never'), noRow),
  })),
)

const kind = fc.constantFrom<ClientAuthorization['kind']>(...kinds)

const grant: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(ago, name, kind).map(([back, text, of]): Step => ({
    name: `record ${of} ${text} of what was read ${back} ago`,
    run: ({ authorizations }, seen) =>
      authorizations.recordAuthorization(
        { ...exampleAuthorization(seenClient(seen, back), text), kind: of },
        exampleTime,
      ),
  })),
  fc.tuple(name, kind).map(([text, of]): Step => ({
    name: `revoke ${of} ${text}`,
    run: ({ authorizations }) => authorizations.revokeAuthorization(of, exampleHash(text)),
  })),
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
  prepare: async ({ initialAccessTokens }) => {
    for (const each of names)
      await done(initialAccessTokens.addInitialAccessToken(exampleToken(each), exampleTime, noRow))
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
