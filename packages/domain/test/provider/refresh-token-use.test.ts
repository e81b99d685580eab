import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { exampleHash, exampleTime, law, tokenHash } from '@clientele/testing'
import { secondsAfter } from '../../src/kernel/time.js'
import {
  alreadyConsumed,
  decideRefreshTokenUse,
  type RefreshTokenUse,
  type RefreshTokenUses,
} from '../../src/provider/artefacts.js'

const Use = suite('decideRefreshTokenUse')
const it = law(Use)

const at = fc.nat(200).map((seconds) => secondsAfter(exampleTime, seconds))
const grace = fc.constantFrom(0, 1, 60)
const use = fc.record({ at, grace })
const usesOf = (hash: fc.Arbitrary<RefreshTokenUses['hash']>): fc.Arbitrary<RefreshTokenUses> =>
  fc.record({ hash, predecessor: tokenHash(), consumed_at: at, successor: tokenHash() }, { requiredKeys: ['hash'] })

const root = exampleHash('root')
const one = exampleHash('one')
const another = exampleHash('another')
const used = (token: RefreshTokenUses, predecessor: RefreshTokenUses | undefined, how: RefreshTokenUse): boolean =>
  E.isRight(decideRefreshTokenUse(token, predecessor, how))

it('is total for what can be read as tokens and uses', [fc.anything(), fc.anything(), fc.anything()], (a, b, c) => {
  const readable = (value: unknown): value is RefreshTokenUses & RefreshTokenUse =>
    typeof value === 'object' && value !== null
  if (!readable(a) || !readable(c)) return
  decideRefreshTokenUse(a, readable(b) ? b : undefined, c)
})

it('a token that was never used is good if it has no predecessor', [tokenHash(), use], (hash, how) => {
  const permitted = decideRefreshTokenUse({ hash }, undefined, how)
  assert.equal(permitted, E.right({ consumed_at: how.at, successorOfPredecessor: hash }))
})

it('without grace there is one use', [usesOf(tokenHash()), at, at], (token, first, second) => {
  const consumed = { ...token, consumed_at: first }
  assert.equal(decideRefreshTokenUse(consumed, undefined, { at: second, grace: 0 }), E.left(alreadyConsumed))
})

it(
  'no grace that is no positive number permits a second use',
  [at, fc.constantFrom(Number.NaN, -1, -Infinity)],
  (now, none) => {
    assert.not.ok(used({ hash: root, consumed_at: now }, undefined, { at: now, grace: none }))
  },
)

it(
  'a lost answer never locks the client out',
  [at, fc.integer({ min: 1, max: 60 }), fc.nat(60)],
  (first, bound, later) => {
    const again = { at: secondsAfter(first, Math.min(bound, later)), grace: bound }
    const permitted = decideRefreshTokenUse({ hash: one, predecessor: root, consumed_at: first }, { hash: root }, again)
    assert.equal(permitted, E.right({ consumed_at: first, successorOfPredecessor: one }))
  },
)

it('after the grace it is refused, and the time of the first use decides', [at, fc.nat(60)], (first, bound) => {
  const late = { at: secondsAfter(first, bound + 1), grace: bound }
  assert.not.ok(used({ hash: root, consumed_at: first }, undefined, late))
})

it(
  'a token of which a successor was used is refused for ever',
  [usesOf(tokenHash()), usesOf(tokenHash()), use],
  (token, before, how) => {
    assert.not.ok(used({ ...token, successor: one }, before, how))
  },
)

it('an unused token is refused for ever once a sibling was used', [use, at], (how, first) => {
  const token = { hash: one, predecessor: root }
  assert.not.ok(used(token, { hash: root, consumed_at: first, successor: another }, how))
  assert.ok(used(token, { hash: root, consumed_at: first }, how))
  assert.ok(used(token, { hash: root, consumed_at: first, successor: one }, how))
})

it('an unused token is refused if its predecessor was removed, or is another one', [use], (how) => {
  assert.not.ok(used({ hash: one, predecessor: root }, undefined, how))
  assert.not.ok(used({ hash: one, predecessor: root }, { hash: another }, how))
})

it(
  'what is permitted now is permitted earlier, and with a longer grace',
  [usesOf(tokenHash()), use, fc.nat(60)],
  (token, how, more) => {
    const predecessor = token.predecessor === undefined ? undefined : { hash: token.predecessor }
    if (!used(token, predecessor, how)) return
    assert.ok(used(token, predecessor, { at: secondsAfter(how.at, -more), grace: how.grace + more }))
  },
)

Use.run()
