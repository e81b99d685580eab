import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  clientChanged,
  clientIdTaken,
  initialAccessTokenConsumed,
  noLimits,
  unknownClient,
  type RegisteredClient,
} from '@clientele/domain'
import { anyClientId } from '../arbitraries/generated-credentials.js'
import { largeClient } from '../arbitraries/large-client.js'
import { registeredClient } from '../arbitraries/registered-client.js'
import {
  exampleClient,
  exampleHash,
  exampleId,
  exampleTime,
  exampleToken,
  updatedExample,
} from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type OpenStore, done, listed, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const none = { error: 'none' } as const
const count = 450

/** The promises of ClientRegistry: adding, finding, replacing and listing. */
export const clientRegistryContract = (name: string, open: OpenStore<'registry' | 'initialAccessTokens'>): Contract => {
  const { test, tests } = collect(`ClientRegistry ${name}`)
  const it = onNewStore(test, open)

  it('a client is found as it was added, every member of it', async ({ registry }) => {
    const roundTrip = fc.asyncProperty(registeredClient(), async (client) => {
      await done(registry.addClient(client, O.none, noLimits))
      try {
        assert.equal(await done(registry.findClient(client.client_id)), O.some(client))
      } finally {
        await done(registry.removeClient(client.client_id, O.none))
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('a client is found as it was last replaced, every member of it', async ({ registry }) => {
    const roundTrip = fc.asyncProperty(registeredClient(), registeredClient(), async (before, after) => {
      // What a client was registered with does not change.
      const { secret, registration_access_token, registered_by, privileges, metadata, version } = after
      const changed = { secret, registration_access_token, registered_by, privileges, metadata, version }
      const next = { ...before, ...changed }
      await done(registry.addClient(before, O.none, noLimits))
      await done(registry.replaceClient(next, before))
      assert.equal(await done(registry.findClient(before.client_id)), O.some(next))
      await done(registry.removeClient(next.client_id, O.none))
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('a client is found as it was added, however large a registration can make it', async ({ registry }) => {
    const roundTrip = fc.asyncProperty(largeClient(), async (client) => {
      await done(registry.addClient(client, O.none, noLimits))
      try {
        assert.equal(await done(registry.findClient(client.client_id)), O.some(client))
        assert.equal(await listed(registry), [client])
      } finally {
        await done(registry.removeClient(client.client_id, O.none))
      }
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it('clients are found together, each once and in the order of the ids; those that are not registered are left out', async ({
    registry,
    other,
  }) => {
    const found = async (...ids: ReadonlyArray<string>): Promise<ReadonlyArray<unknown>> =>
      done(other.registry.findClients(ids.map(exampleId)))
    assert.equal(await found(), [])
    assert.equal(await found('a', 'b'), [])
    for (const id of ['a', 'b', 'c']) await done(registry.addClient(exampleClient(id), O.none, noLimits))
    const clients = (...ids: ReadonlyArray<string>) => ids.map((id) => E.right(exampleClient(id)))
    assert.equal(await found('c', 'never', 'a', 'c', 'A'), clients('c', 'a'))
    assert.equal(await found('b', 'a', 'c'), clients('b', 'a', 'c'))
    await done(registry.removeClient(exampleId('a'), O.none))
    assert.equal(await found('a', 'b'), clients('b'))
    const many = Array.from({ length: 1_000 }, (_, index) => `never-${index}`)
    assert.equal(await found(...many, 'c'), clients('c'))
  })

  it('a client is found by its own token alone, and by that of no other client', async ({ registry }) => {
    const one = exampleClient('one')
    const other = exampleClient('other')
    for (const client of [one, other]) await done(registry.addClient(client, O.none, noLimits))
    const find = (client: RegisteredClient, { registration_access_token }: RegisteredClient) =>
      done(registry.findClientByToken(client.client_id, registration_access_token.hash))
    assert.equal(await find(one, one), O.some(one))
    assert.equal(await find(one, other), O.none)
    assert.equal(await find(exampleClient('never'), one), O.none)
    const next = updatedExample(one)
    await done(registry.replaceClient(next, one))
    assert.equal(await find(one, one), O.none)
    assert.equal(await find(one, next), O.some(next))
  })

  it('a registration access token is known as one as long as it opens a client', async ({ registry }) => {
    const client = exampleClient('a')
    const next = updatedExample(client)
    const isKnown = ({ registration_access_token: { hash } }: RegisteredClient): Promise<boolean> =>
      done(registry.isRegistrationAccessToken(hash))
    assert.is(await isKnown(client), false)
    await done(registry.addClient(client, O.none, noLimits))
    assert.is(await isKnown(client), true)
    await done(registry.replaceClient(next, client))
    assert.equal([await isKnown(client), await isKnown(next)], [false, true])
    await done(registry.removeClient(client.client_id, O.none))
    assert.is(await isKnown(next), false)
  })

  it('the clients of any two ids are apart: letter case, and names of objects', async ({ registry }) => {
    const ids = [...new Set(fc.sample(anyClientId(), propertyRuns()))]
    const clients = ids.map((id, place) => ({
      ...exampleClient(`client-${place}`),
      client_id: id,
    }))
    for (const client of clients) {
      assert.equal(await done(registry.findClient(client.client_id)), O.none)
      await done(registry.addClient(client, O.none, noLimits))
    }
    for (const [place, client] of clients.entries()) {
      assert.equal(await done(registry.findClient(client.client_id)), O.some(client))
      await done(registry.removeClient(client.client_id, O.none))
      assert.is((await listed(registry)).length, clients.length - place - 1)
    }
  })

  it('a task that is not run does nothing, and one that is run again is judged again', async ({ registry }) => {
    const add = registry.addClient(exampleClient('lazy'), O.none, noLimits)
    const find = registry.findClient(exampleId('lazy'))
    assert.equal(await done(find), O.none)
    await done(add)
    assert.equal(await refused(add), clientIdTaken)
    assert.equal(await done(find), O.some(exampleClient('lazy')))
  })

  it('an id that is taken is refused: its client stays as it was, and the token unspent', async ({
    registry,
    initialAccessTokens,
  }) => {
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    await done(registry.addClient(exampleClient('taken'), O.none, noLimits))
    assert.equal(
      await refused(registry.addClient(exampleClient('taken', 'second'), O.some(token.hash), noLimits)),
      clientIdTaken,
    )
    assert.equal(await done(registry.findClient(exampleId('taken'))), O.some(exampleClient('taken')))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
    await done(registry.addClient(exampleClient('free'), O.some(token.hash), noLimits))
  })

  it('a token that was never issued registers nothing', async ({ registry }) => {
    assert.equal(
      await refused(registry.addClient(exampleClient('a'), O.some(exampleHash('none')), noLimits)),
      initialAccessTokenConsumed,
    )
    assert.equal(await listed(registry), [])
  })

  it('of 50 registrations at once, by two handles, with one initial access token exactly one succeeds', async (ports) => {
    const { registry, initialAccessTokens } = ports
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    const clients = Array.from({ length: 50 }, (_, index) => exampleClient(`client-${index}`))
    const outcomes = await race(ports, clients, (handle, client) =>
      handle.registry.addClient(client, O.some(token.hash), noLimits),
    )
    const refusals = outcomes.flatMap((outcome) => (E.isLeft(outcome) ? [outcome.left] : []))
    assert.equal(
      refusals,
      Array.from({ length: 49 }, () => initialAccessTokenConsumed),
    )
    assert.equal(
      await listed(registry),
      clients.filter((_, index) => E.isRight(outcomes[index] ?? E.left(none))),
    )
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.none)
  })

  it('of 50 registrations at once, by two handles, with one id exactly one succeeds', async (ports) => {
    const { registry } = ports
    const clients = Array.from({ length: 50 }, (_, index) => exampleClient('same', `life-${index}`))
    const outcomes = await race(ports, clients, (handle, client) => handle.registry.addClient(client, O.none, noLimits))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(
      await listed(registry),
      clients.filter((_, index) => E.isRight(outcomes[index] ?? E.left(none))),
    )
  })

  it('a replacement of a version that is not the present one is refused and changes nothing', async ({ registry }) => {
    const first = exampleClient('a')
    const second = updatedExample(first)
    await done(registry.addClient(first, O.none, noLimits))
    await done(registry.replaceClient(second, first))
    assert.equal(await refused(registry.replaceClient(updatedExample(first, 'late'), first)), clientChanged)
    assert.equal(await done(registry.findClient(first.client_id)), O.some(second))
  })

  it('of 20 replacements of one version at once, by two handles, exactly one succeeds', async (ports) => {
    const { registry } = ports
    const first = exampleClient('a')
    await done(registry.addClient(first, O.none, noLimits))
    const next = Array.from({ length: 20 }, (_, index) => updatedExample(first, `name-${index}`))
    const outcomes = await race(ports, next, (handle, each) => handle.registry.replaceClient(each, first))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(
      await listed(registry),
      next.filter((_, index) => E.isRight(outcomes[index] ?? E.left(none))),
    )
  })

  it('a client of which nothing is known is neither replaced nor made', async ({ registry }) => {
    const stranger = exampleClient('a')
    assert.equal(await refused(registry.replaceClient(updatedExample(stranger), stranger)), clientChanged)
    assert.equal(await refused(registry.removeClient(stranger.client_id, O.none)), unknownClient)
    assert.equal(await listed(registry), [])
  })

  it('the list of an empty registry is empty', async ({ registry }) => {
    assert.equal(await listed(registry), [])
  })

  it('clients are listed in the order of registration, which a replacement does not change', async ({ registry }) => {
    const clients = Array.from({ length: count }, (_, index) => exampleClient(`client-${count - index}`))
    for (const client of clients) await done(registry.addClient(client, O.none, noLimits))
    const replaced = clients.map((client, index) => (index % 100 === 7 ? updatedExample(client) : client))
    for (const [index, client] of clients.entries()) {
      const next = replaced[index] ?? client
      if (next !== client) await done(registry.replaceClient(next, client))
    }
    assert.equal(await listed(registry), replaced)
  })

  it('a list reads when it is asked, and anew each time', async ({ registry }) => {
    const stream = registry.streamClients()
    await done(registry.addClient(exampleClient('a'), O.none, noLimits))
    const [first] = await Promise.all([stream[Symbol.asyncIterator]().next()])
    assert.equal(first, { done: false, value: E.right(exampleClient('a')) })
    await done(registry.addClient(exampleClient('b'), O.none, noLimits))
    assert.equal(await listed(registry), [exampleClient('a'), exampleClient('b')])
  })

  it('while a list is under way clients are added, replaced and removed, and it may be left early', async ({
    registry,
  }) => {
    const clients = Array.from({ length: 3 }, (_, index) => exampleClient(`client-${index}`))
    for (const client of clients) await done(registry.addClient(client, O.none, noLimits))
    for await (const each of registry.streamClients()) {
      if (E.isLeft(each)) throw new Error('unreadable')
      await done(registry.addClient(exampleClient('added'), O.none, noLimits))
      await done(registry.replaceClient(updatedExample(each.right), each.right))
      await done(registry.removeClient(each.right.client_id, O.none))
      break
    }
    assert.equal(await listed(registry), [...clients.slice(1), exampleClient('added')])
  })

  return tests
}
