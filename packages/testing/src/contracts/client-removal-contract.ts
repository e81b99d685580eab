import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { clientChanged, noLimits, unknownClient, type RegisteredClient, type TokenHash } from '@clientele/domain'
import { exampleAuthorization, exampleClient, exampleId, exampleTime, updatedExample } from '../examples/examples.js'
import { type OpenStore, done, listed, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const tokenOf = ({ registration_access_token }: RegisteredClient): O.Option<TokenHash> =>
  O.some(registration_access_token.hash)

/** The promises of ClientRegistry.removeClient. */
export const clientRemovalContract = (name: string, open: OpenStore<'registry' | 'authorizations'>): Contract => {
  const { test, tests } = collect(`ClientRegistry.removeClient ${name}`)
  const it = onNewStore(test, open)

  it('a removed client is gone, and the others stay', async ({ registry }) => {
    const one = exampleClient('one')
    const other = exampleClient('other')
    await done(registry.addClient(one, O.none, noLimits))
    await done(registry.addClient(other, O.none, noLimits))
    await done(registry.removeClient(one.client_id, O.none))
    assert.equal(await done(registry.findClient(one.client_id)), O.none)
    assert.equal(await listed(registry), [other])
    assert.equal(await refused(registry.removeClient(one.client_id, O.none)), unknownClient)
    assert.equal(await refused(registry.replaceClient(updatedExample(one), one)), clientChanged)
  })

  it('the token of a client removes that client alone, of whatever version, and an old token none', async ({
    registry,
  }) => {
    const first = exampleClient('a')
    const next = updatedExample(first)
    const other = exampleClient('other')
    for (const client of [first, other]) await done(registry.addClient(client, O.none, noLimits))
    await done(registry.replaceClient(next, first))
    for (const client of [first, other])
      assert.equal(await refused(registry.removeClient(first.client_id, tokenOf(client))), unknownClient)
    assert.equal(await refused(registry.removeClient(exampleId('never'), tokenOf(next))), unknownClient)
    assert.equal(await listed(registry), [next, other])
    await done(registry.removeClient(first.client_id, tokenOf(next)))
    assert.equal(await listed(registry), [other])
  })

  it('a removal of the version that was read removes no other version, and no other registration', async ({
    registry,
  }) => {
    const first = exampleClient('a')
    const next = updatedExample(first)
    const again = { ...exampleClient('a', 'second'), version: next.version }
    await done(registry.addClient(first, O.none, noLimits))
    await done(registry.replaceClient(next, first))
    for (const token of [O.none, tokenOf(next)])
      for (const read of [first, again])
        assert.equal(
          await refused(registry.removeClient(first.client_id, token, undefined, undefined, read)),
          clientChanged,
        )
    assert.equal(
      await refused(registry.removeClient(first.client_id, tokenOf(first), undefined, undefined, next)),
      unknownClient,
    )
    assert.equal(await listed(registry), [next])
    await done(registry.removeClient(first.client_id, tokenOf(next), undefined, undefined, next))
    assert.equal(
      await refused(registry.removeClient(first.client_id, O.none, undefined, undefined, next)),
      unknownClient,
    )
  })

  it('of a removal and a replacement of the version that was read exactly one succeeds, by two handles', async (ports) => {
    for (const place of Array.from({ length: 10 }).keys()) {
      const client = exampleClient(`raced-${place}`)
      await done(ports.registry.addClient(client, O.none, noLimits))
      const [removed, replaced] = await Promise.all([
        ports.registry.removeClient(client.client_id, O.none, undefined, undefined, client)(),
        ports.other.registry.replaceClient(updatedExample(client), client)(),
      ])
      assert.is.not(E.isRight(removed), E.isRight(replaced))
      for (const outcome of [removed, replaced]) if (E.isLeft(outcome)) assert.equal(outcome.left, clientChanged)
    }
  })

  it('of 20 removals at once, by two handles, exactly one succeeds', async (ports) => {
    await done(ports.registry.addClient(exampleClient('a'), O.none, noLimits))
    const removals = Array.from({ length: 20 }, () => exampleId('a'))
    const outcomes = await race(ports, removals, ({ registry }, id) => registry.removeClient(id, O.none))
    assert.is(outcomes.filter(E.isRight).length, 1)
  })

  it('a client by the same id as a removed one is another: no replacement of the removed one touches it', async ({
    registry,
  }) => {
    const first = exampleClient('a')
    const second = exampleClient('a', 'second')
    await done(registry.addClient(first, O.none, noLimits))
    await done(registry.removeClient(first.client_id, O.none))
    await done(registry.addClient(second, O.none, noLimits))
    assert.equal(await refused(registry.removeClient(first.client_id, tokenOf(first))), unknownClient)
    assert.equal(await refused(registry.replaceClient(updatedExample(first), first)), clientChanged)
    assert.equal(await listed(registry), [second])
  })

  it('what is recorded for a client goes with it, for good, and what is recorded for others stays', async ({
    registry,
    authorizations,
  }) => {
    const one = exampleClient('one')
    const other = exampleClient('other')
    const ofOne = exampleAuthorization(one, 'of-one')
    const ofOther = exampleAuthorization(other, 'of-other')
    for (const client of [one, other]) await done(registry.addClient(client, O.none, noLimits))
    for (const kind of ['refresh_token', 'access_token', 'sticky_grant'] as const)
      await done(authorizations.recordAuthorization({ ...ofOne, kind }, exampleTime))
    await done(authorizations.recordAuthorization(ofOther, exampleTime))
    await done(registry.removeClient(one.client_id, O.none))
    await done(registry.addClient(exampleClient('one', 'second'), O.none, noLimits))
    for (const kind of ['refresh_token', 'access_token', 'sticky_grant'] as const)
      assert.equal(await done(authorizations.findAuthorization(kind, ofOne.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(ofOther.kind, ofOther.hash)), O.some(ofOther))
  })

  it('a removal that is refused leaves what is recorded for the client', async ({ registry, authorizations }) => {
    const client = exampleClient('a')
    const recorded = exampleAuthorization(client, 'of-a')
    await done(registry.addClient(client, O.none, noLimits))
    await done(authorizations.recordAuthorization(recorded, exampleTime))
    assert.equal(await refused(registry.removeClient(client.client_id, tokenOf(updatedExample(client)))), unknownClient)
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  return tests
}
