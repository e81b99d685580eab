import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import {
  initialAccessTokenConsumed,
  noLimits,
  secondsAfter,
  unknownClient,
  type InitialAccessToken,
} from '@clientele/domain'
import { initialAccessToken } from '../arbitraries/initial-access-token.js'
import { exampleClient, exampleHash, exampleId, exampleTime, exampleToken } from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type OpenStore, done, refused } from './open-store.js'
import { type Contract, collect, onNewStore, race } from './contract.js'

const ownedBy = (id: string, life?: string): Pick<Required<InitialAccessToken>, 'owner'> => {
  const { client_id, registration_id } = exampleClient(id, life)
  return { owner: { client_id, registration_id } }
}

/** The promises of InitialAccessTokens. */
export const initialAccessTokensContract = (
  name: string,
  open: OpenStore<'registry' | 'initialAccessTokens'>,
): Contract => {
  const { test, tests } = collect(`InitialAccessTokens ${name}`)
  const it = onNewStore(test, open)

  it('a token is found as it was added, every member of it, by the other handle too', async ({
    initialAccessTokens,
    other,
  }) => {
    const seen = new Set<string>()
    const roundTrip = fc.asyncProperty(initialAccessToken(), async (token) => {
      if (seen.has(token.hash)) return
      seen.add(token.hash)
      await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
      assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
      assert.equal(await done(other.initialAccessTokens.findInitialAccessToken(token.hash)), O.some(token))
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
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

  it('one registration spends a token, and the token is gone', async ({ registry, initialAccessTokens }) => {
    const token = exampleToken('one')
    const other = exampleToken('other')
    for (const each of [token, other]) await done(initialAccessTokens.addInitialAccessToken(each, exampleTime))
    await done(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits))
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.none)
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(other.hash)), O.some(other))
    assert.equal(
      await refused(registry.addClient(exampleClient('b'), O.some(token.hash), noLimits)),
      initialAccessTokenConsumed,
    )
  })

  it('the end of a client does not bring back the token that it was registered with', async ({
    registry,
    initialAccessTokens,
  }) => {
    const token = exampleToken('one')
    await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    await done(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits))
    await done(registry.removeClient(exampleId('a'), O.none))
    assert.equal(
      await refused(registry.addClient(exampleClient('a'), O.some(token.hash), noLimits)),
      initialAccessTokenConsumed,
    )
  })

  it('the tokens that have not expired are listed, the first to expire first, and so many at most', async ({
    initialAccessTokens,
  }) => {
    const tokens = [30, 10, 20].map((lifetime) => ({
      ...exampleToken(`for-${lifetime}`),
      expires_at: secondsAfter(exampleTime, lifetime),
    }))
    for (const token of tokens) await done(initialAccessTokens.addInitialAccessToken(token, exampleTime))
    const lifetimes = async (at: number, most: number): Promise<ReadonlyArray<number>> =>
      (await done(initialAccessTokens.listInitialAccessTokens(secondsAfter(exampleTime, at), most))).map(
        ({ expires_at }) => expires_at - exampleTime,
      )
    assert.equal(await lifetimes(0, 10), [10, 20, 30])
    assert.equal(await lifetimes(10, 10), [20, 30])
    assert.equal(await lifetimes(0, 2), [10, 20])
    assert.equal(await lifetimes(0, 0), [])
    assert.equal(
      await done(initialAccessTokens.listInitialAccessTokens(exampleTime, 10)),
      [...tokens].sort((one, other) => one.expires_at - other.expires_at),
    )
  })

  it('a token that is removed registers nothing, and the others stay', async ({ registry, initialAccessTokens }) => {
    const token = exampleToken('one')
    const other = exampleToken('other')
    for (const each of [token, other]) await done(initialAccessTokens.addInitialAccessToken(each, exampleTime))
    assert.is(await done(initialAccessTokens.removeInitialAccessToken(token.hash)), true)
    assert.is(await done(initialAccessTokens.removeInitialAccessToken(token.hash)), false)
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.none)
    const adding = registry.addClient(exampleClient('a'), O.some(token.hash), noLimits)
    assert.equal(await refused(adding), initialAccessTokenConsumed)
    await done(registry.addClient(exampleClient('a'), O.some(other.hash), noLimits))
  })

  it('a token of an owner is found as it was added, is consumed like others, and ends with the owner', async (ports) => {
    const { registry, initialAccessTokens } = ports
    await done(registry.addClient(exampleClient('owner'), O.none, noLimits))
    const tokens = ['one', 'two'].map((text) => ({ ...exampleToken(text), ...ownedBy('owner') }))
    const stranger = exampleToken('stranger')
    for (const each of [...tokens, stranger]) await done(initialAccessTokens.addInitialAccessToken(each, exampleTime))
    for (const each of tokens)
      assert.equal(await done(ports.other.initialAccessTokens.findInitialAccessToken(each.hash)), O.some(each))
    assert.is((await done(initialAccessTokens.listInitialAccessTokens(exampleTime, 10))).length, 3)
    await done(registry.addClient(exampleClient('a'), O.some(exampleHash('one')), noLimits))
    await done(registry.removeClient(exampleId('owner'), O.none))
    for (const each of tokens) assert.equal(await done(initialAccessTokens.findInitialAccessToken(each.hash)), O.none)
    assert.equal(await done(initialAccessTokens.listInitialAccessTokens(exampleTime, 10)), [stranger])
    const adding = registry.addClient(exampleClient('b'), O.some(exampleHash('two')), noLimits)
    assert.equal(await refused(adding), initialAccessTokenConsumed)
    assert.not.equal(await done(registry.findClient(exampleId('a'))), O.none)
  })

  it('no token is added for an owner whose registration has ended', async ({ registry, initialAccessTokens }) => {
    const token = { ...exampleToken('one'), ...ownedBy('owner') }
    assert.equal(await refused(initialAccessTokens.addInitialAccessToken(token, exampleTime)), unknownClient)
    await done(registry.addClient(exampleClient('owner', 'second'), O.none, noLimits))
    assert.equal(await refused(initialAccessTokens.addInitialAccessToken(token, exampleTime)), unknownClient)
    assert.equal(await done(initialAccessTokens.findInitialAccessToken(token.hash)), O.none)
  })

  it('of tokens that are added while their owner is removed, by two handles, none is found afterwards', async (ports) => {
    await done(ports.registry.addClient(exampleClient('owner'), O.none, noLimits))
    const tokens = Array.from({ length: 20 }, (_, nth) => ({ ...exampleToken(`nth-${nth}`), ...ownedBy('owner') }))
    const added = race(ports, tokens, (handle, each) =>
      handle.initialAccessTokens.addInitialAccessToken(each, exampleTime),
    )
    await Promise.all([added, done(ports.other.registry.removeClient(exampleId('owner'), O.none))])
    for (const outcome of await added) if (E.isLeft(outcome)) assert.equal(outcome.left, unknownClient)
    assert.equal(await done(ports.initialAccessTokens.listInitialAccessTokens(exampleTime, 100)), [])
  })

  return tests
}
