import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { alreadyConsumed, secondsAfter, type Artefact, type RefreshTokenUse, type TokenHash } from '@clientele/domain'
import * as assert from 'uvu/assert'
import { exampleArtefact, exampleHash, exampleTime } from '../examples/examples.js'
import { collect, type Contract, onNewStore, race } from './contract.js'
import { done, type OpenStore, refused, type StoreHandle } from './open-store.js'

type Handle = Pick<StoreHandle, 'artefacts'>

const token = (text: string, predecessor?: TokenHash): Artefact => ({
  ...exampleArtefact('refresh_token', text),
  ...(predecessor === undefined ? {} : { predecessor }),
})

const root = token('root')
const one = token('one', root.hash)
const another = token('another', root.hash)
const numbers = Array.from({ length: 20 }, (_, index) => index)
const after = (seconds: number, grace = 60): RefreshTokenUse => ({ at: secondsAfter(exampleTime, seconds), grace })

const use = ({ artefacts }: Handle, { hash }: Artefact, how: RefreshTokenUse) => artefacts.useRefreshToken(hash, how)

const usesOf = async ({ artefacts }: Handle, { hash }: Artefact): Promise<unknown> => {
  const stored = O.toUndefined(await done(artefacts.findArtefact('refresh_token', hash)))
  return { consumed_at: stored?.consumed_at, successor: stored?.successor }
}

/** The promises of Artefacts.useRefreshToken: decideRefreshTokenUse, in one step. */
export const refreshTokensContract = (name: string, open: OpenStore<'artefacts'>): Contract => {
  const { test, tests } = collect(`Artefacts.useRefreshToken ${name}`)
  const it = onNewStore(test, open, async ({ artefacts }) => {
    for (const each of [root, one, another]) await done(artefacts.storeArtefact(each, exampleTime))
  })

  it('without grace a token is used once, whoever uses it at the same time', async (ports) => {
    const outcomes = await race(ports, numbers, (handle) => use(handle, root, after(0, 0)))
    assert.is(outcomes.filter(E.isRight).length, 1)
    for (const outcome of outcomes) if (E.isLeft(outcome)) assert.equal(outcome.left, alreadyConsumed)
  })

  it('within the grace a token is used again, and the time of its first use is kept', async (ports) => {
    for (const seconds of [0, 1, 60]) await done(use(ports, root, after(seconds)))
    assert.equal(await usesOf(ports.other, root), { consumed_at: exampleTime, successor: undefined })
    assert.equal(await refused(use(ports, root, after(61))), alreadyConsumed)
  })

  // Found by the models of stores on PostgreSQL: seed -194680608.
  it('a token that names itself as its predecessor is used once, and both are stored', async (ports) => {
    const self = exampleArtefact('refresh_token', 'self')
    await done(ports.artefacts.storeArtefact({ ...self, predecessor: self.hash }, exampleTime))
    await done(use(ports, self, after(0)))
    assert.equal(await usesOf(ports.other, self), { consumed_at: exampleTime, successor: self.hash })
    assert.equal(await refused(use(ports, self, after(0))), alreadyConsumed)
  })

  it('of two successors that are used at once, by two handles, one is good, and the token is not any more', async (ports) => {
    await done(use(ports, root, after(0)))
    const tokens = numbers.map((nth) => (nth % 3 === 0 ? one : another))
    const outcomes = await race(ports, tokens, (handle, each) => use(handle, each, after(1)))
    const isGood = (each: Artefact): boolean =>
      outcomes.some((outcome, nth) => tokens[nth] === each && E.isRight(outcome))
    assert.is(isGood(one), !isGood(another))
    outcomes.forEach((outcome, nth) => assert.is(E.isRight(outcome), isGood(tokens[nth] ?? root)))
    assert.equal(await refused(use(ports, root, after(1))), alreadyConsumed)
    const { hash } = isGood(one) ? one : another
    assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: hash })
  })

  it('of a token and its successor that are used at once, by two handles, the token is refused once the successor was used', async (ports) => {
    await done(use(ports, root, after(0)))
    const tokens = numbers.map((nth) => (nth % 3 === 0 ? one : root))
    const outcomes = await race(ports, tokens, (handle, each) => use(handle, each, after(1)))
    outcomes.forEach((outcome, nth) => assert.ok(tokens[nth] === root || E.isRight(outcome)))
    assert.equal(await refused(use(ports, root, after(1))), alreadyConsumed)
    assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: one.hash })
  })

  it('a refusal writes nothing', async (ports) => {
    await done(use(ports, root, after(0)))
    await done(use(ports, one, after(1)))
    for (const each of [root, another, token('never')])
      assert.equal(await refused(use(ports, each, after(2))), alreadyConsumed)
    assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: one.hash })
    assert.equal(await usesOf(ports, another), { consumed_at: undefined, successor: undefined })
  })

  it('a chain is used in its order, and an artefact of another kind by no one', async (ports) => {
    const next = token('next', one.hash)
    const access = exampleArtefact('access_token', 'access')
    for (const each of [next, access]) await done(ports.artefacts.storeArtefact(each, exampleTime))
    for (const [nth, each] of [root, one, next].entries()) await done(use(ports, each, after(nth)))
    assert.equal(await refused(use(ports, one, after(3))), alreadyConsumed)
    assert.equal(await refused(use(ports, access, after(3))), alreadyConsumed)
  })

  it('a token that is stored again keeps its uses', async (ports) => {
    await done(use(ports, root, after(0)))
    await done(use(ports, one, after(1)))
    await done(ports.artefacts.storeArtefact({ ...root, payload: {} }, exampleTime))
    assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: one.hash })
  })

  it('an expired token is kept while a successor is in force, and a successor of a removed one is refused', async (ports) => {
    const { artefacts } = ports
    const later = secondsAfter(root.expires_at, 10)
    const successor = { ...token('late', root.hash), expires_at: secondsAfter(later, 60) }
    await done(use(ports, root, after(0)))
    await done(artefacts.storeArtefact(successor, exampleTime))
    for (const nth of [1, 2, 3])
      await done(artefacts.storeArtefact({ ...token(`other-${nth}`), expires_at: successor.expires_at }, later))
    assert.equal(await usesOf(ports, root), { consumed_at: exampleTime, successor: undefined })
    await done(artefacts.useRefreshToken(successor.hash, { at: later, grace: 60 }))
    const orphan = { ...token('orphan', exampleHash('removed')), expires_at: successor.expires_at }
    await done(artefacts.storeArtefact(orphan, later))
    assert.equal(await refused(artefacts.useRefreshToken(orphan.hash, { at: later, grace: 60 })), alreadyConsumed)
  })

  return tests
}
