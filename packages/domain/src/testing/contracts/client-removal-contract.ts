import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'uvu'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clientChanged, noLimits } from '../../ports/client-registry.js'
import { exampleAuthorization, exampleClient, updatedExample } from './examples.js'
import type { OpenPorts } from './open-ports.js'
import { done, listed, onNewStore, refused } from './open-ports.js'

/** The promises of ClientRegistry.removeClient. */
export const clientRemovalContract = (name: string, open: OpenPorts<'registry' | 'authorizations'>): Test => {
  const test = suite(`ClientRegistry.removeClient ${name}`)
  const it = onNewStore(test, open)

  it('a removed client is gone, and the others stay', async ({ registry }) => {
    const [one, other] = [exampleClient('one'), exampleClient('other')]
    await done(registry.addClient(one, O.none, noLimits))
    await done(registry.addClient(other, O.none, noLimits))
    await done(registry.removeClient(one))
    assert.equal(await done(registry.findClient(one.client_id)), O.none)
    assert.equal(await listed(registry), [other])
    assert.equal(await refused(registry.removeClient(one)), clientChanged)
    assert.equal(await refused(registry.replaceClient(updatedExample(one), one)), clientChanged)
  })

  it('a version that is not the present one is not removed, even by the token of the present one', async ({
    registry,
  }) => {
    const first = exampleClient('a')
    const next = { ...updatedExample(first), registration_access_token: first.registration_access_token }
    await done(registry.addClient(first, O.none, noLimits))
    await done(registry.replaceClient(next, first))
    assert.equal(await refused(registry.removeClient(first)), clientChanged)
    assert.equal(await refused(registry.replaceClient(updatedExample(first, 'late'), first)), clientChanged)
    assert.equal(await refused(registry.removeClient({ ...next, version: 3 })), clientChanged)
    assert.equal(await listed(registry), [next])
  })

  it('of 20 removals at once exactly one succeeds', async ({ registry }) => {
    await done(registry.addClient(exampleClient('a'), O.none, noLimits))
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => registry.removeClient(exampleClient('a'))()))
    assert.is(outcomes.filter(E.isRight).length, 1)
  })

  it('a client by the same id as a removed one is another: who read the removed one cannot touch it', async ({
    registry,
  }) => {
    const [first, second] = [exampleClient('a'), exampleClient('a', 'second')]
    await done(registry.addClient(first, O.none, noLimits))
    await done(registry.removeClient(first))
    await done(registry.addClient(second, O.none, noLimits))
    assert.equal(await refused(registry.removeClient(first)), clientChanged)
    assert.equal(await refused(registry.replaceClient(updatedExample(first), first)), clientChanged)
    assert.equal(await listed(registry), [second])
  })

  it('what is recorded for a client goes with it, for good, and what is recorded for others stays', async ({
    registry,
    authorizations,
  }) => {
    const [one, other] = [exampleClient('one'), exampleClient('other')]
    const [ofOne, ofOther] = [exampleAuthorization(one, 'of-one'), exampleAuthorization(other, 'of-other')]
    for (const client of [one, other]) await done(registry.addClient(client, O.none, noLimits))
    for (const kind of ['refresh_token', 'access_token', 'sticky_grant'] as const)
      await done(authorizations.recordAuthorization({ ...ofOne, kind }))
    await done(authorizations.recordAuthorization(ofOther))
    await done(registry.removeClient(one))
    await done(registry.addClient(exampleClient('one', 'second'), O.none, noLimits))
    for (const kind of ['refresh_token', 'access_token', 'sticky_grant'] as const)
      assert.equal(await done(authorizations.findAuthorization(kind, ofOne.hash)), O.none)
    assert.equal(await done(authorizations.findAuthorization(ofOther.kind, ofOther.hash)), O.some(ofOther))
  })

  it('a removal that is refused leaves what is recorded for the client', async ({ registry, authorizations }) => {
    const client = exampleClient('a')
    const recorded = exampleAuthorization(client, 'of-a')
    await done(registry.addClient(client, O.none, noLimits))
    await done(authorizations.recordAuthorization(recorded))
    assert.equal(await refused(registry.removeClient(updatedExample(client))), clientChanged)
    assert.equal(await done(authorizations.findAuthorization(recorded.kind, recorded.hash)), O.some(recorded))
  })

  return test
}
