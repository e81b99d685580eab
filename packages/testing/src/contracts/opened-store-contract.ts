import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { noLimits } from '@clientele/domain'
import { exampleClient, exampleTime, exampleToken } from '../examples/examples.js'
import { type Contract, collect, onNewStore } from './contract.js'
import { type OpenStore, done, listed, sealedInSteps } from './open-store.js'

/** The promises of Store itself; each store tests its `close`. */
export const openedStoreContract = (
  name: string,
  open: OpenStore<'digestKey' | 'check' | 'sealAnew' | 'countSealed' | 'registry' | 'initialAccessTokens'>,
): Contract => {
  const { test, tests } = collect(`Store ${name}`)
  const it = onNewStore(test, open)

  it('every handle has the same digest key', async ({ digestKey, other }) => {
    assert.ok(digestKey.length > 0)
    assert.is(digestKey, other.digestKey)
  })

  it('a store that can read and write says so', async ({ check, other }) => {
    await done(check)
    await done(other.check)
  })

  it('what was read is confirmed, of either handle, and nothing is changed', async ({ registry, other }) => {
    await done(registry.addClient(exampleClient('a'), O.none, noLimits))
    for (const handle of [registry, other.registry]) {
      assert.equal(await listed(handle), [exampleClient('a')])
      await done(handle.confirmReads)
    }
    assert.equal(await listed(registry), [exampleClient('a')])
  })

  it('what the present key sealed is not sealed anew, and stays as it is', async (ports) => {
    const { registry, initialAccessTokens, countSealed } = ports
    const token = exampleToken('one')
    await done(registry.addClient(exampleClient('a'), O.none, noLimits))
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    const values = await done(countSealed)
    assert.equal(await sealedInSteps(ports), { values, sealed: 0, unreadable: 0 })
    assert.equal(await sealedInSteps(ports, true), { values, sealed: 0, unreadable: 0 })
    assert.equal(await listed(ports.other.registry), [exampleClient('a')])
    assert.equal(await done(ports.other.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  })

  return tests
}
