import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EpochSeconds, epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { advance, isForgotten, laterRing, newRing, retireRing, rollOver } from '../../src/keys/roll-over.js'
import { KeyDescription, describeKeys, nextChange, publishedKeys } from '../../src/keys/published.js'
import { type KeyRing, keysOf, maxReadAge, maxSkew } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { law, namedKey } from '@clientele/testing'
import { anyRing, privateText } from '../support/key-maker.js'
import { justRead } from '../support/just-read.js'

const Describe = suite('describeKeys')
const it = law(Describe)

// Longer than the retention, for instances that have not read a change yet.
const margin = maxReadAge + maxSkew
const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const start = epochSeconds(1_000_000_000_000)
const after = (seconds: number) => secondsAfter(start, seconds)
const first = newRing(policy, start)('EdDSA', 'sig', namedKey('first'))

const described = (ring: KeyRing) => describeKeys(policy, [ring])

const rolledAt = (seconds: number): KeyRing => {
  const rolled = rollOver(policy, after(seconds))(first, namedKey('second'))
  if (E.isLeft(rolled)) throw new Error(rolled.left.error)
  return rolled.right
}

it('the private half of no key is told', [anyRing()], ({ policy: lived, ring }) => {
  const reported = JSON.stringify(describeKeys(lived, [ring]))
  assert.ok(JSON.stringify(ring).includes(privateText))
  return !reported.includes(privateText) && !reported.includes('privateKey')
})

it(
  'each key of each ring is told once, in the order of the rings',
  [fc.array(anyRing(), { maxLength: 3 })],
  (lived) => {
    const rings = lived.map(({ ring }, index) => ({ ...ring, alg: `alg ${index}` }))
    const reported = describeKeys(policy, rings).map(({ alg, kid }) => [alg, kid])
    assert.equal(
      reported,
      rings.flatMap((ring) => keysOf(ring).map(({ key }) => [ring.alg, key.kid])),
    )
  },
)

it('every key of the set is told', [anyRing()], ({ policy: lived, ring }) => {
  const reported = describeKeys(lived, [ring]).map(({ kid }) => kid)
  return publishedKeys([ring]).keys.every(({ kid }) => reported.includes(kid))
})

it('the first thing that comes next is the next change of the ring', [anyRing()], ({ policy: lived, ring }) => {
  const next = describeKeys(lived, [ring]).map(({ next_at }) => next_at)
  assert.is(Math.min(...next), nextChange(lived, ring))
})

it('a phase began in the past, and its end is to come', [anyRing()], ({ policy: lived, ring, at }) => {
  for (const { published_at, since, next_at } of describeKeys(lived, [ring])) {
    assert.ok(published_at <= at && since <= at)
    assert.ok(next_at >= at)
  }
})

it('a key is told as signing exactly when it may sign', [anyRing()], ({ policy: lived, ring, at }) => {
  for (const { kid, phase } of describeKeys(lived, [ring]))
    assert.is(phase === 'signing', E.isRight(permitSigning(lived, justRead(at))(ring, { kid, expiresAt: at })))
})

it('when a key leaves the set is told to the second, once it is known', [anyRing()], ({ policy: lived, ring: now }) => {
  for (const { kid, next_at, forgotten_at } of describeKeys(lived, [now])) {
    if (forgotten_at === undefined) continue
    const isLeft = (at: EpochSeconds): boolean => {
      if (now.closedAt !== undefined && now.current.key.kid === kid) return !isForgotten(now, at)
      const advanced =
        now.closedAt === undefined ? advance(lived, at)(advance(lived, next_at)(now)) : retireRing(at)(now)
      return keysOf(advanced).some(({ key }) => key.kid === kid)
    }
    assert.ok(!isLeft(forgotten_at))
    assert.ok(isLeft(epochSeconds((forgotten_at - 1) * 1000)) || forgotten_at <= next_at)
  }
})

it('a description survives its own codec', [anyRing()], ({ policy: lived, ring }) => {
  const reported = describeKeys(lived, [ring])
  assert.equal(
    reported.map((each) => KeyDescription.decode(JSON.parse(JSON.stringify(each)))),
    reported.map(E.right),
  )
})

const common = { alg: 'EdDSA', use: 'sig', published_at: start }

Describe('a key that signs tells when its successor is announced', () => {
  assert.equal(described(first), [
    { ...common, kid: 'first', phase: 'signing', since: start, next: 'successor is announced', next_at: after(900) },
  ])
})

Describe('with a successor it tells when it retires, which is when the successor signs', () => {
  assert.equal(described(rolledAt(300)), [
    {
      ...common,
      kid: 'second',
      phase: 'announced',
      published_at: after(300),
      since: after(300),
      next: 'signs',
      next_at: after(400),
    },
    {
      ...common,
      kid: 'first',
      phase: 'signing',
      since: start,
      next: 'retires',
      next_at: after(400),
      forgotten_at: after(450 + margin),
    },
  ])
})

Describe('a retired key tells since when, and when it is forgotten', () => {
  const promoted = advance(policy, after(410))(rolledAt(300))
  assert.equal(described(promoted), [
    {
      ...common,
      kid: 'second',
      phase: 'signing',
      published_at: after(300),
      since: after(410),
      next: 'successor is announced',
      next_at: after(1_310),
    },
    {
      ...common,
      kid: 'first',
      phase: 'retired',
      since: after(410),
      next: 'is forgotten',
      next_at: after(460 + margin),
      forgotten_at: after(460 + margin),
    },
  ])
})

Describe('the key of a ring that is not open yet is announced, and tells when it signs', () => {
  assert.equal(described(laterRing(policy, start, [])('EdDSA', 'sig', namedKey('later'))), [
    { ...common, kid: 'later', phase: 'announced', since: start, next: 'signs', next_at: after(100) },
  ])
})

Describe('the key of a closed ring tells when it is forgotten, and the announced one is gone', () => {
  assert.equal(described(retireRing(after(320))(rolledAt(300))), [
    {
      ...common,
      kid: 'first',
      phase: 'closed',
      since: after(320),
      next: 'is forgotten',
      next_at: after(370 + margin),
      forgotten_at: after(370 + margin),
    },
  ])
})

Describe('an announced encryption key is not published yet, and the set has the one that is told as published', () => {
  const ring = newRing(policy, start)('RSA-OAEP-256', 'enc', namedKey('first'))
  const rolled = rollOver(policy, after(300))(ring, namedKey('second'))
  if (E.isLeft(rolled)) throw new Error(rolled.left.error)
  const encrypting = { alg: 'RSA-OAEP-256', use: 'enc' }
  const forgotten_at = after(500 + margin)
  assert.equal(described(rolled.right), [
    {
      ...encrypting,
      kid: 'second',
      phase: 'announced',
      published_at: after(400),
      since: after(300),
      next: 'is published',
      next_at: after(400),
    },
    {
      ...encrypting,
      kid: 'first',
      phase: 'published',
      published_at: start,
      since: start,
      next: 'retires',
      next_at: after(400),
      forgotten_at,
    },
  ])
  const promoted = advance(policy, after(400))(rolled.right)
  assert.equal(
    described(promoted).map(({ kid, phase, published_at, since }) => [kid, phase, published_at, since]),
    [
      ['second', 'published', after(400), after(400)],
      ['first', 'retired', start, after(400)],
    ],
  )
  for (const each of [rolled.right, promoted, laterRing(policy, start, [])('RSA-OAEP-256', 'enc', namedKey('later'))])
    assert.equal(
      described(each).flatMap(({ kid, phase }) => (phase === 'published' ? [kid] : [])),
      publishedKeys([each]).keys.map(({ kid }) => kid),
    )
})

Describe('no rings have no keys', () => assert.equal(describeKeys(policy, []), []))

Describe.run()
