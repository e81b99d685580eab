import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import type { Test } from 'uvu'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { secondsAfter } from '../../codec/epoch-seconds.js'
import { initialAccessTokenSpent, noLimits } from '../../ports/client-registry.js'
import { initialAccessToken } from '../arbitraries/initial-access-token.js'
import { exampleClient, exampleHash, exampleTime, exampleToken } from './examples.js'
import { propertyRuns } from '../property-runs.js'
import type { OpenPorts } from './open-ports.js'
import { done, onNewStore, refused } from './open-ports.js'

/** The promises of InitialAccessTokens. */
export const initialAccessTokensContract = (
  name: string,
  open: OpenPorts<'registry' | 'initialAccessTokens'>,
): Test => {
  const test = suite(`InitialAccessTokens ${name}`)
  const it = onNewStore(test, open)

  test('a token is found as it was added, every member of it', async () => {
    const ports = await open()
    const seen = new Set<string>()
    const roundTrip = fc.asyncProperty(initialAccessToken(), async (token) => {
      if (seen.has(token.hash)) return
      seen.add(token.hash)
      await done(ports.initialAccessTokens.addInitialAccessToken(token, exampleTime))
      assert.equal(await done(ports.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
    await ports.close()
  })

  it("a hash of which nothing is known is nobody's, letter case and all", async ({ initialAccessTokens }) => {
    await done(initialAccessTokens.addInitialAccessToken(exampleToken('token-a'), exampleTime))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(exampleHash('token-A'))), O.none)
  })

  it('a token that is not expired stays when others are added', async ({ initialAccessTokens }) => {
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    const later = secondsAfter(token.expires_at, -1)
    await done(initialAccessTokens.addInitialAccessToken(exampleToken('other'), later))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
  })

  it('one registration spends a token, and the token is known as spent', async ({ registry, initialAccessTokens }) => {
    const [token, other] = [exampleToken('one'), exampleToken('other')]
    for (const each of [token, other]) await done(initialAccessTokens.addInitialAccessToken(each, exampleTime))
    await done(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.some({ ...token, spent: true }))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(other.hash)), O.some(other))
    assert.equal(
      await refused(registry.addClient(exampleClient('b'), O.some(token.hash), noLimits)),
      initialAccessTokenSpent,
    )
  })

  it('the end of a client does not bring back the token that it was registered with', async ({
    registry,
    initialAccessTokens,
  }) => {
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    await done(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits))
    await done(registry.removeClient(exampleClient('a')))
    assert.equal(
      await refused(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits)),
      initialAccessTokenSpent,
    )
  })

  return test
}
