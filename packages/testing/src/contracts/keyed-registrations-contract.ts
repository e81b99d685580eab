import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  type KeyedRegistration,
  type RegisteredClient,
  type RegistryLimits,
  type TokenHash,
  initialAccessTokenConsumed,
  maxForgotten,
  noLimits,
  registryFull,
  requestedBefore,
  secondsAfter,
} from '@clientele/domain'
import { exampleClient, exampleHash, exampleTime, exampleToken, updatedExample } from '../examples/examples.js'
import { type Contract, collect, onNewStore, race } from './contract.js'
import { type OpenStore, type StoreHandle, done, listed, refused } from './open-store.js'

const lifetime = 100

const keyedAs = (
  key: string,
  { client_id, registration_id, client_id_issued_at }: RegisteredClient,
): KeyedRegistration => ({
  client_id,
  registration_id,
  key: exampleHash(key),
  request: exampleHash(`request-${client_id}`),
  expires_at: secondsAfter(client_id_issued_at, lifetime),
})

const later = (client: RegisteredClient, seconds: number): RegisteredClient => ({
  ...client,
  client_id_issued_at: secondsAfter(exampleTime, seconds),
})

type Names = 'registry' | 'initialAccessTokens'

const add = (
  { registry }: Pick<StoreHandle, 'registry'>,
  client: RegisteredClient,
  key: string,
  token: O.Option<TokenHash> = O.none,
  limits: RegistryLimits = noLimits,
) => registry.addClient(client, token, limits, undefined, undefined, keyedAs(key, client))

/** The promises of ClientRegistry about registrations that were requested with a key. */
export const keyedRegistrationsContract = (name: string, open: OpenStore<Names>): Contract => {
  const { test, tests } = collect(`ClientRegistry, keyed registrations, ${name}`)
  const it = onNewStore(test, open)
  const a = exampleClient('a')
  const b = exampleClient('b')
  const token = O.some(exampleToken('single-use').hash)

  it('is found by its key, by another handle as well, and by no other key', async (ports) => {
    await done(add(ports, a, 'key'))
    for (const { registry } of [ports, ports.other]) {
      assert.equal(await done(registry.findKeyedRegistration(exampleHash('key'))), O.some(keyedAs('key', a)))
      assert.equal(await done(registry.findKeyedRegistration(exampleHash('other'))), O.none)
      assert.equal(await done(registry.findClient(a.client_id)), O.some(a))
    }
  })

  it('refuses another client under its key until it expires, and then gives way to it', async (ports) => {
    await done(add(ports, a, 'key'))
    const last = later(b, lifetime - 1)
    assert.equal(await refused(add(ports.other, last, 'key')), requestedBefore)
    assert.equal(await done(ports.registry.findClient(b.client_id)), O.none)
    const next = later(b, lifetime)
    await done(add(ports.other, next, 'key'))
    assert.equal(await done(ports.registry.findKeyedRegistration(exampleHash('key'))), O.some(keyedAs('key', next)))
    assert.is((await listed(ports.registry)).length, 2)
  })

  it('consumes no initial access token where it is refused', async (ports) => {
    await done(ports.initialAccessTokens.addInitialAccessToken(exampleToken('single-use'), exampleTime))
    await done(add(ports, a, 'key'))
    assert.equal(await refused(add(ports, b, 'key', token)), requestedBefore)
    await done(add(ports, b, 'other', token))
  })

  it('is not stored where its client is refused', async (ports) => {
    assert.equal(await refused(add(ports, a, 'key', token)), initialAccessTokenConsumed)
    assert.equal(await refused(add(ports, a, 'key', O.none, { ...noLimits, clients: 0 })), registryFull)
    assert.equal(await done(ports.registry.findKeyedRegistration(exampleHash('key'))), O.none)
    await done(add(ports, b, 'key', O.none, { ...noLimits, clients: 1 }))
  })

  it('stays when its client is replaced, and ends with it', async ({ registry, other }) => {
    await done(add({ registry }, a, 'key'))
    const next = updatedExample(a)
    await done(registry.replaceClient(next, a))
    assert.equal(await done(other.registry.findKeyedRegistration(exampleHash('key'))), O.some(keyedAs('key', a)))
    await done(registry.removeClient(a.client_id, O.none))
    assert.equal(await done(other.registry.findKeyedRegistration(exampleHash('key'))), O.none)
    await done(add(other, b, 'key'))
  })

  it('of 20 with one key at once, by two handles, exactly one is added', async (ports) => {
    for (const limits of [noLimits, { ...noLimits, clients: 1000 }]) {
      const clients = Array.from({ length: 20 }, (_, place) => exampleClient(`${limits.clients}-${place}`))
      const key = `key-${limits.clients}`
      const outcomes = await race(ports, clients, (handle, client) => add(handle, client, key, O.none, limits))
      assert.is(outcomes.filter(E.isRight).length, 1)
      for (const each of outcomes) if (E.isLeft(each)) assert.equal(each.left, requestedBefore)
      const [winner = a] = clients.filter((_, place) => E.isRight(outcomes[place] ?? E.left(requestedBefore)))
      const found = await done(ports.registry.findKeyedRegistration(exampleHash(key)))
      assert.equal(found, O.some(keyedAs(key, winner)))
      for (const client of clients)
        assert.is(O.isSome(await done(ports.registry.findClient(client.client_id))), client === winner)
    }
  })

  it('of 10 with one key and one initial access token at once, by two handles, exactly one is added', async (ports) => {
    await done(ports.initialAccessTokens.addInitialAccessToken(exampleToken('single-use'), exampleTime))
    const clients = Array.from({ length: 10 }, (_, place) => exampleClient(`${place}`))
    const outcomes = await race(ports, clients, (handle, client) => add(handle, client, 'key', token))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.is((await listed(ports.registry)).length, 1)
    assert.ok(O.isSome(await done(ports.registry.findKeyedRegistration(exampleHash('key')))))
  })

  it('expired ones are removed by later ones, a bounded number at once', async (ports) => {
    const many = maxForgotten.keyedRegistrations + 5
    for (let place = 0; place < many; place += 1) await done(add(ports, exampleClient(`old-${place}`), `old-${place}`))
    await done(add(ports, later(a, lifetime), 'new'))
    const left = async () => {
      let count = 0
      for (let place = 0; place < many; place += 1)
        if (O.isSome(await done(ports.registry.findKeyedRegistration(exampleHash(`old-${place}`))))) count += 1
      return count
    }
    assert.is(await left(), 5)
    await done(add(ports, later(b, lifetime), 'newer'))
    assert.is(await left(), 0)
  })

  return tests
}
