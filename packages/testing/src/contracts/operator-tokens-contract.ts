import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { type OperatorToken, type TokenHash, epochSeconds, secondsAfter } from '@clientele/domain'
import { operatorToken } from '../arbitraries/operators.js'
import { exampleHash, exampleTime } from '../examples/examples.js'
import { propertyRuns } from '../property-runs.js'
import { type Contract, collect, onNewStore } from './contract.js'
import { type OpenStore, done } from './open-store.js'

const example = (text: string, lifetime = 3600): OperatorToken => ({
  hash: exampleHash(text),
  privileges: ['clients:read', 'keys'],
  issued_at: exampleTime,
  expires_at: secondsAfter(exampleTime, lifetime),
  issued_by: { kind: 'store', fingerprint: '' },
})

/** The promises of OperatorTokens. */
export const operatorTokensContract = (name: string, open: OpenStore<'operatorTokens'>): Contract => {
  const { test, tests } = collect(`OperatorTokens ${name}`)
  const it = onNewStore(test, open)

  it('a token is found as it was added, every member of it, by the other handle too', async (ports) => {
    const { operatorTokens, other } = ports
    const seen = new Set<TokenHash>()
    const roundTrip = fc.asyncProperty(operatorToken(), async (token) => {
      if (seen.has(token.hash)) return
      seen.add(token.hash)
      // Tokens of any age: one that expired at this time may be removed.
      await done(operatorTokens.addOperatorToken(token, epochSeconds(0)))
      assert.equal(await done(operatorTokens.findOperatorToken(token.hash)), O.some(token))
      assert.equal(await done(other.operatorTokens.findOperatorToken(token.hash)), O.some(token))
    })
    await fc.assert(roundTrip, { numRuns: propertyRuns() })
  })

  it("a hash of which nothing is known is nobody's, letter case and all", async ({ operatorTokens }) => {
    await done(operatorTokens.addOperatorToken(example('token-a'), exampleTime))
    assert.equal(await done(operatorTokens.findOperatorToken(exampleHash('token-A'))), O.none)
  })

  it('a token that is not expired stays when others are added', async ({ operatorTokens }) => {
    const token = example('one')
    await done(operatorTokens.addOperatorToken(token, exampleTime))
    await done(operatorTokens.addOperatorToken(example('other'), secondsAfter(token.expires_at, -1)))
    assert.equal(await done(operatorTokens.findOperatorToken(token.hash)), O.some(token))
  })

  it('the tokens that have not expired are listed, the first to expire first, and so many at most', async (ports) => {
    const { operatorTokens } = ports
    const tokens = [30, 10, 20].map((lifetime) => example(`for-${lifetime}`, lifetime))
    for (const token of tokens) await done(operatorTokens.addOperatorToken(token, exampleTime))
    const listed = async (at: number, most: number): Promise<ReadonlyArray<string>> =>
      (await done(operatorTokens.listOperatorTokens(secondsAfter(exampleTime, at), most))).map(({ hash }) => hash)
    const hashes = [10, 20, 30].map((lifetime) => exampleHash(`for-${lifetime}`))
    assert.equal(await listed(0, 10), hashes)
    assert.equal(await listed(10, 10), hashes.slice(1))
    assert.equal(await listed(0, 2), hashes.slice(0, 2))
    assert.equal(await listed(0, 0), [])
  })

  it('a token that is removed is found by neither handle, and the others stay', async ({ operatorTokens, other }) => {
    const token = example('one')
    const second = example('other')
    for (const each of [token, second]) await done(operatorTokens.addOperatorToken(each, exampleTime))
    assert.is(await done(operatorTokens.removeOperatorToken(token.hash)), true)
    assert.is(await done(other.operatorTokens.removeOperatorToken(token.hash)), false)
    for (const handle of [operatorTokens, other.operatorTokens]) {
      assert.equal(await done(handle.findOperatorToken(token.hash)), O.none)
      assert.equal(await done(handle.listOperatorTokens(exampleTime, 10)), [second])
    }
  })

  it('of two handles that remove a token at once, one has removed it', async ({ operatorTokens, other }) => {
    await done(operatorTokens.addOperatorToken(example('one'), exampleTime))
    const removed = await Promise.all(
      [operatorTokens, other.operatorTokens].map((handle) => done(handle.removeOperatorToken(exampleHash('one')))),
    )
    assert.equal([...removed].sort(), [false, true])
  })

  return tests
}
