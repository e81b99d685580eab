import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { importKeys } from '../../src/keys/by-operator.js'
import { publishedKeys } from '../../src/keys/published.js'
import { type KeyRing, keysOf, knownKids, maxReadAge, maxSkew, signingKey } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { type GeneratedKey, advance, laterRing, newRing, rollOver } from '../../src/keys/roll-over.js'
import { law, namedKey } from '@clientele/testing'
import { type Lived, livedRing } from '../support/key-maker.js'
import { justRead } from '../support/just-read.js'

const Import = suite('importKeys')
const it = law(Import)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const at = epochSeconds(1_000_000_000_000)
const old = newRing(policy, at)('EdDSA', 'sig', namedKey('old'))

const imported = (count: number): ReadonlyArray<GeneratedKey> =>
  Array.from({ length: count }, (_, index) => namedKey(`imported-${index}`))

const done = (outcome: E.Either<unknown, KeyRing>): KeyRing => {
  if (E.isLeft(outcome)) throw new Error(JSON.stringify(outcome.left))
  return outcome.right
}

const into = ({ policy: lived, at: now, ring }: Lived, keys: ReadonlyArray<GeneratedKey>) =>
  importKeys(lived, now)(ring, keys)

const some = fc.integer({ min: 1, max: 5 })

it(
  'the first key signs at once, for the whole retention, and none is announced',
  [livedRing(), some],
  (lived, count) => {
    const ring = done(into(lived, imported(count)))
    const { kid } = signingKey(ring)
    const expiresAt = secondsAfter(lived.at, lived.policy.retention)
    assert.is(kid, 'imported-0')
    assert.is(ring.announced, undefined)
    assert.ok(E.isRight(permitSigning(lived.policy, justRead(lived.at))(ring, { kid, expiresAt })))
  },
)

it(
  'all other keys are retired: what was announced, what signed, and the others that came',
  [livedRing(), some],
  (lived, count) => {
    const retired = done(into(lived, imported(count))).retired.map(({ key }) => key.kid)
    const before = keysOf(lived.ring).map(({ key }) => key.kid)
    const others = imported(count).slice(1)
    assert.equal([...retired].sort(), [...before, ...others.map(({ kid }) => kid)].sort())
  },
)

it(
  'every key that was published is published until signatures have expired, and so is every key that came',
  [livedRing(), some, fc.nat(3_000)],
  (lived, count, later) => {
    const ring = done(into(lived, imported(count)))
    const kidsAt = (seconds: number) =>
      publishedKeys([advance(lived.policy, secondsAfter(lived.at, seconds))(ring)]).keys.map(({ kid }) => kid)
    const still = kidsAt(Math.min(later, lived.policy.retention - 1))
    const { announced, current } = lived.ring
    for (const kid of [...(announced === undefined ? [] : [announced.key.kid]), current.key.kid])
      assert.ok(still.includes(kid))
    for (const { kid } of imported(count)) assert.ok(still.includes(kid))
  },
)

it('a key that was retired before is forgotten when it would have been', [livedRing(), some], (lived, count) => {
  const { retired } = done(into(lived, imported(count)))
  assert.equal(retired.slice(0, lived.ring.retired.length), lived.ring.retired)
})

it('no kid stands twice afterwards, and none that is gone is among the keys', [livedRing(), some], (lived, count) => {
  const kids = knownKids(done(into(lived, imported(count))))
  assert.is(new Set(kids).size, kids.length)
  assert.is(kids.length, knownKids(lived.ring).length + count)
})

it(
  'a kid that the ring has or had is refused wherever it stands, and the ring is untouched',
  [livedRing(), some, fc.nat(20), fc.nat(20)],
  (lived, count, which, where) => {
    const before = JSON.stringify(lived.ring)
    const known = knownKids(lived.ring)
    const kid = known[which % known.length] ?? ''
    const keys = imported(count)
    const place = where % (count + 1)
    const outcome = into(lived, [...keys.slice(0, place), namedKey(kid), ...keys.slice(place)])
    assert.equal(outcome, E.left({ error: 'kid_known', kid }))
    assert.is(JSON.stringify(lived.ring), before)
  },
)

it('a kid that comes twice is refused', [livedRing(), some, fc.nat(20)], (lived, count, which) => {
  const keys = imported(count)
  const twice = keys[which % count] ?? namedKey('none')
  assert.equal(into(lived, [...keys, twice]), E.left({ error: 'kid_known', kid: twice.kid }))
})

it('no keys change nothing', [livedRing()], (lived) => {
  assert.is(done(into(lived, [])), lived.ring)
})

it('the keys are those that came, published from now on', [livedRing(), some], (lived, count) => {
  const ring = done(into(lived, imported(count)))
  for (const key of imported(count))
    assert.equal(keysOf(ring).find((each) => each.key.kid === key.kid)?.key, { ...key, publishedAt: lived.at })
})

Import('one key in the place of the one that signs', () => {
  const ring = done(importKeys(policy, secondsAfter(at, 10))(old, [namedKey('new')]))
  const since = secondsAfter(at, 10)
  const forgottenAt = secondsAfter(at, 60 + maxReadAge + maxSkew)
  assert.equal(ring, {
    ...old,
    current: { key: { ...namedKey('new'), publishedAt: since }, since, goodUntil: since },
    retired: [{ key: old.current.key, since, forgottenAt }],
  })
})

Import('a ring that is not open yet opens, because verifiers know the key', () => {
  const later = laterRing(policy, at, [])('EdDSA', 'sig', namedKey('later'))
  const ring = done(importKeys(policy, at)(later, [namedKey('new')]))
  assert.is(ring.opensAt, undefined)
  assert.ok(E.isRight(permitSigning(policy, justRead(at))(ring, { kid: 'new', expiresAt: at })))
})

Import('a successor that is under way is retired, and its kid is not taken again', () => {
  const rolled = done(rollOver(policy, at)(old, namedKey('successor')))
  const ring = done(importKeys(policy, at)(rolled, [namedKey('new')]))
  assert.equal(
    keysOf(ring).map(({ key, phase }) => [key.kid, phase]),
    [
      ['new', 'signing'],
      ['old', 'retired'],
      ['successor', 'retired'],
    ],
  )
  assert.equal(rollOver(policy, at)(ring, namedKey('successor')), E.left({ error: 'kid_known', kid: 'successor' }))
})

Import.run()
