import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import {
  advance,
  forgottenAt,
  isForgotten,
  laterRing,
  newRing,
  recreate,
  reinstateRing,
  retireRing,
  rollOver,
} from '../../src/keys/roll-over.js'
import { nextChange } from '../../src/keys/published.js'
import { keysOf, knownKids, maxReadAge, maxSkew, signingKey } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { law, namedKey } from '@clientele/testing'
import { type Lived, livedRing } from '../support/key-maker.js'
import { justRead, maxAgeAt } from '../support/just-read.js'

const Closing = suite('retireRing, reinstateRing and recreate')
const it = law(Closing)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const start = epochSeconds(1_000_000_000_000)
const after = (seconds: number) => secondsAfter(start, seconds)
// Longer than the retention, for instances that have not read a change yet.
const margin = maxReadAge + maxSkew
const first = newRing(policy, start)('EdDSA', 'sig', namedKey('first'))

const passed = fc.oneof(fc.nat(100), fc.nat(5_000))
const closed = (lived: Lived) => retireRing(lived.at)(lived.ring)
const sorted = (kids: ReadonlyArray<string>) => [...kids].sort()

it('a closed ring signs nothing, whenever', [livedRing(), passed], (lived, seconds) => {
  const now = secondsAfter(lived.at, seconds)
  const { kid } = signingKey(lived.ring)
  const answer = permitSigning(lived.policy, justRead(now))(closed(lived), { kid, expiresAt: now })
  assert.equal(answer, E.left({ error: 'ring_closed' }))
})

it('no kid is lost by closing, and none comes twice', [livedRing(), passed], (lived, seconds) => {
  const ring = retireRing(secondsAfter(lived.at, seconds))(closed(lived))
  assert.equal(sorted(knownKids(ring)), sorted(knownKids(lived.ring)))
})

it('the key that signed stays, and is forgotten when its last signature has expired', [livedRing()], (lived) => {
  const ring = closed(lived)
  assert.is(signingKey(ring), signingKey(lived.ring))
  const last = forgottenAt(ring) ?? lived.at
  assert.ok(last >= lived.at + lived.policy.retention)
  assert.ok(last >= lived.ring.current.goodUntil)
  assert.is(isForgotten(ring, last), true)
  assert.is(isForgotten(ring, epochSeconds((last - 1) * 1000)), false)
})

it('closing again changes nothing but what is forgotten meanwhile', [livedRing(), passed], (lived, seconds) => {
  const ring = closed(lived)
  const now = secondsAfter(lived.at, seconds)
  const again = retireRing(now)(ring)
  assert.is(again.closedAt, lived.at)
  assert.is(again.announced, undefined)
  assert.equal(
    again.retired,
    ring.retired.filter((each) => each.forgottenAt > now),
  )
  if (again.retired.length === ring.retired.length) assert.is(again, ring)
})

it('a closed ring changes of itself when one of its keys is forgotten', [livedRing()], (lived) => {
  const ring = closed(lived)
  const ends = [forgottenAt(ring) ?? lived.at, ...ring.retired.map((each) => each.forgottenAt)]
  assert.is(nextChange(lived.policy, ring), Math.min(...ends))
  assert.ok(maxAgeAt(lived.policy, [ring], lived.at) <= Math.min(...ends) - lived.at)
})

it(
  'a ring that is opened again signs at once, with the key that it signed with, unless it is about to be forgotten',
  [livedRing(), passed],
  (lived, seconds) => {
    const now = secondsAfter(lived.at, seconds)
    const before = retireRing(now)(closed(lived))
    const ring = reinstateRing(lived.policy, now)(before)
    assert.is(ring.opensAt !== undefined, isForgotten(before, secondsAfter(now, maxSkew)))
    if (ring.opensAt !== undefined) return
    const { kid } = signingKey(lived.ring)
    assert.ok(E.isRight(permitSigning(lived.policy, justRead(now))(ring, { kid, expiresAt: now })))
    const announced = lived.ring.announced?.key.kid
    if (announced === undefined) return
    assert.equal(rollOver(lived.policy, now)(ring, namedKey(announced)), E.left({ error: 'kid_known', kid: announced }))
  },
)

it('a ring in use is not forgotten, and is not opened again', [livedRing(), passed], (lived, seconds) => {
  assert.is(forgottenAt(lived.ring), undefined)
  assert.is(isForgotten(lived.ring, secondsAfter(lived.at, seconds)), false)
  assert.is(reinstateRing(lived.policy, lived.at)(lived.ring), lived.ring)
})

it('a ring that begins anew keeps the names of all keys that it had, and none of the keys', [livedRing()], (lived) => {
  const ring = { ...closed(lived), version: 7 }
  const at = forgottenAt(ring) ?? lived.at
  const anew = recreate(ring, laterRing(lived.policy, at, [])('EdDSA', 'sig', namedKey('anew')))
  assert.equal(
    keysOf(anew).map(({ key }) => key.kid),
    ['anew'],
  )
  assert.equal(sorted(knownKids(anew)), sorted([...knownKids(lived.ring), 'anew']))
  assert.is(anew.version, 7)
  assert.is(anew.opensAt, secondsAfter(at, lived.policy.publishAhead))
  for (const kid of knownKids(ring))
    assert.equal(rollOver(lived.policy, at)(anew, namedKey(kid)), E.left({ error: 'kid_known', kid }))
})

type Round = { readonly open: number; readonly shut: number; readonly anew: boolean }
const round: fc.Arbitrary<Round> = fc.record({ open: fc.nat(3_000), shut: fc.nat(200), anew: fc.boolean() })

it('however often a ring is closed and opened, no kid comes again', [fc.array(round, { maxLength: 8 })], (rounds) => {
  const gone = new Set<string>()
  let ring = first
  let now = start
  let made = 0
  const nextKey = () => namedKey(`key-${(made += 1)}`)
  for (const { open, shut, anew } of rounds) {
    now = secondsAfter(now, open)
    const rolled = rollOver(policy, now)(advance(policy, now)(ring), nextKey())
    ring = retireRing(now)(E.isRight(rolled) ? rolled.right : ring)
    now = secondsAfter(now, shut)
    const begins = anew && isForgotten(ring, now)
    ring = begins
      ? recreate(ring, laterRing(policy, now, [])('EdDSA', 'sig', nextKey()))
      : advance(policy, now)(reinstateRing(policy, now)(retireRing(now)(ring)))
    for (const { key } of keysOf(ring)) assert.not(gone.has(key.kid))
    for (const kid of ring.forgotten) gone.add(kid)
    assert.is(new Set(knownKids(ring)).size, knownKids(ring).length)
    for (const kid of gone) assert.ok(ring.forgotten.includes(kid))
  }
})

Closing('closing takes back what is announced, at once', () => {
  const rolled = rollOver(policy, after(10))(first, namedKey('second'))
  assert.ok(E.isRight(rolled))
  const ring = retireRing(after(20))(rolled.right)
  assert.equal(ring, { ...first, announced: undefined, closedAt: after(20), forgotten: ['second'] })
  assert.is(forgottenAt(ring), after(70 + margin))
})

Closing('a promise of an earlier policy outlives the closing', () => {
  const long = newRing({ ...policy, retention: 5_000 }, start)('EdDSA', 'sig', namedKey('first'))
  const ring = retireRing(after(11))(advance(policy, after(10))(long))
  assert.is(forgottenAt(ring), after(5_010 + margin))
  assert.is(forgottenAt(retireRing(after(11))(long)), after(5_011 + margin))
})

Closing.run()
