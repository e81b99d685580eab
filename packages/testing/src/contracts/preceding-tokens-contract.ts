import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type RegisteredClient, clientChanged, noLimits, secondsAfter, unknownClient } from '@clientele/domain'
import { exampleClient, exampleTime, updatedExample } from '../examples/examples.js'
import { type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const hashOf = ({ registration_access_token }: RegisteredClient) => registration_access_token.hash

const before = exampleClient('a')
const confirmed = updatedExample(before)
/** Updated, with the token before the update as the preceding one. */
const preceded: RegisteredClient = {
  ...confirmed,
  preceding_token: { hash: hashOf(before), until: secondsAfter(exampleTime, 3600) },
}
/** Another update by the preceding token. */
const again: RegisteredClient = { ...preceded, ...updatedExample(preceded, 'again'), version: preceded.version + 1 }

/** The promises of ClientRegistry about the token before the newest one. */
export const precedingTokensContract = (name: string, open: OpenStore<'registry'>): Contract => {
  const { test, tests } = collect(`ClientRegistry, preceding tokens, ${name}`)
  const it = onNewStore(test, open, async ({ registry }) => {
    await done(registry.addClient(before, O.none, noLimits))
    await done(registry.replaceClient(preceded, before))
  })

  it('a client is found by its newest token and by the one before it, and by another handle as well', async ({
    registry,
    other,
  }) => {
    for (const handle of [registry, other.registry])
      for (const client of [before, preceded]) {
        assert.equal(await done(handle.findClientByToken(before.client_id, hashOf(client))), O.some(preceded))
        assert.is(await done(handle.isRegistrationAccessToken(hashOf(client))), true)
      }
    const stranger = exampleClient('b')
    await done(registry.addClient(stranger, O.none, noLimits))
    assert.equal(await done(registry.findClientByToken(stranger.client_id, hashOf(before))), O.none)
    assert.equal(await done(registry.findClientByToken(before.client_id, hashOf(stranger))), O.none)
  })

  it('its end leaves the version, and the newest token alone finds the client', async ({ registry, other }) => {
    await done(registry.replaceClient(confirmed, preceded))
    for (const handle of [registry, other.registry]) {
      assert.equal(await done(handle.findClientByToken(before.client_id, hashOf(before))), O.none)
      assert.is(await done(handle.isRegistrationAccessToken(hashOf(before))), false)
      assert.equal(await done(handle.findClientByToken(before.client_id, hashOf(preceded))), O.some(confirmed))
    }
  })

  it('after its end, what read the client before it changes nothing', async ({ registry, other }) => {
    await done(registry.replaceClient(confirmed, preceded))
    assert.equal(await refused(other.registry.replaceClient(again, preceded)), clientChanged)
    assert.equal(await refused(other.registry.replaceClient(confirmed, preceded)), clientChanged)
    assert.equal(
      await refused(other.registry.removeClient(before.client_id, O.none, undefined, undefined, preceded)),
      clientChanged,
    )
    assert.equal(await done(registry.findClient(before.client_id)), O.some(confirmed))
    await done(other.registry.removeClient(before.client_id, O.none, undefined, undefined, confirmed))
  })

  it('an update with it keeps it, and the newest token of before opens nothing', async ({ registry }) => {
    await done(registry.replaceClient(again, preceded))
    assert.equal(await done(registry.findClientByToken(before.client_id, hashOf(preceded))), O.none)
    for (const client of [before, again])
      assert.equal(await done(registry.findClientByToken(before.client_id, hashOf(client))), O.some(again))
  })

  it('it removes the client in the version that was read, and not by itself', async ({ registry }) => {
    assert.equal(await refused(registry.removeClient(before.client_id, O.some(hashOf(before)))), unknownClient)
    await done(registry.removeClient(before.client_id, O.none, undefined, undefined, preceded))
    assert.is(await done(registry.isRegistrationAccessToken(hashOf(before))), false)
  })

  it('of its end and an update with it at once, by two handles, exactly one succeeds, and never are both open', async (ports) => {
    for (let round = 0; round < 10; round += 1) {
      const next = round % 2 === 0 ? [confirmed, again] : [again, confirmed]
      const outcomes = await race(ports, next, ({ registry }, each) => registry.replaceClient(each, preceded))
      assert.is(outcomes.filter(E.isRight).length, 1)
      const [winner = before] = next.filter((_, place) => E.isRight(outcomes[place] ?? E.left(clientChanged)))
      assert.equal(await done(ports.registry.findClient(before.client_id)), O.some(winner))
      await done(ports.registry.removeClient(before.client_id, O.none))
      await done(ports.registry.addClient(before, O.none, noLimits))
      await done(ports.registry.replaceClient(preceded, before))
    }
  })

  it('of 20 that end it at once, by two handles, one does', async (ports) => {
    const all = Array.from({ length: 20 }, () => confirmed)
    const outcomes = await race(ports, all, ({ registry }, each) => registry.replaceClient(each, preceded))
    assert.is(outcomes.filter(E.isRight).length, 1)
    assert.equal(await done(ports.registry.findClient(before.client_id)), O.some(confirmed))
  })

  it('an import that replaces the client ends it', async ({ registry }) => {
    const imported = { ...confirmed, version: preceded.version + 1 }
    assert.equal(await done(registry.importClients([{ client: imported, replacing: preceded }])), [E.right(undefined)])
    assert.equal(await done(registry.findClientByToken(before.client_id, hashOf(before))), O.none)
    assert.equal(await done(registry.findClient(before.client_id)), O.some(imported))
  })

  it('after its end, an import that read the client before it is refused', async ({ registry }) => {
    await done(registry.replaceClient(confirmed, preceded))
    const imported = { ...again, version: preceded.version + 1 }
    assert.equal(await done(registry.importClients([{ client: imported, replacing: preceded }])), [
      E.left(clientChanged),
    ])
    assert.equal(await done(registry.findClient(before.client_id)), O.some(confirmed))
  })

  it('an import stores it with the client', async ({ registry }) => {
    assert.equal(await done(registry.importClients([{ client: again, replacing: preceded }])), [E.right(undefined)])
    assert.equal(await done(registry.findClient(before.client_id)), O.some(again))
  })

  return tests
}
