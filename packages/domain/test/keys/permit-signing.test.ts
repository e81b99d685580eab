import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type EpochSeconds, epochSeconds, secondsAfter } from '../../src/kernel/time.js'
import { advance, laterRing, newRing, retireRing, rollOver } from '../../src/keys/roll-over.js'
import { publishedKeys } from '../../src/keys/published.js'
import { keysOf, signingKey } from '../../src/keys/ring.js'
import { permitSigning } from '../../src/keys/signing.js'
import { law, namedKey } from '@clientele/testing'
import { type Lived, anyRing, livedRing } from '../support/key-maker.js'
import { justRead } from '../support/just-read.js'

const Permit = suite('permitSigning')
const it = law(Permit)

const policy = { lifetime: 1_000, publishAhead: 100, retention: 50, maxAge: 40 }
const at = epochSeconds(1_000_000_000_000)
const ring = newRing(policy, at)('EdDSA', 'sig', namedKey('first'))

/** Near the last second of the retention, and anywhere. */
const exceedingRetention = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -5_000, max: 5_000 }))
const passed = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }))
const chosen = fc.oneof(fc.constant('current'), fc.nat(9), fc.constant('nobody'))

const kidOf = ({ ring: lived }: Lived, choice: string | number): string => {
  if (choice === 'current') return lived.current.key.kid
  const known = keysOf(lived)
  return typeof choice === 'number' ? (known[choice % known.length]?.key.kid ?? '') : choice
}

it(
  'a signature is permitted exactly for the key that signs, in an open ring, for the retention at the most',
  [anyRing(), chosen, passed, exceedingRetention],
  (lived, choice, seconds, exceeding) => {
    const now = secondsAfter(lived.at, seconds)
    const kid = kidOf(lived, choice)
    const expiresAt = secondsAfter(now, lived.policy.retention + exceeding)
    const isOpen = lived.ring.closedAt === undefined && (lived.ring.opensAt ?? now) <= now
    const expected = kid === signingKey(lived.ring).kid && isOpen && exceeding <= 0
    const answer = permitSigning(lived.policy, justRead(now))(lived.ring, { kid, expiresAt })
    assert.is(E.isRight(answer), expected)
    if (E.isRight(answer)) assert.is(answer.right, signingKey(lived.ring))
  },
)

it(
  'a ring for encryption never signs, with any of its keys',
  [anyRing(), chosen, passed, exceedingRetention],
  (lived, choice, seconds, exceeding) => {
    const now = secondsAfter(lived.at, seconds)
    const request = { kid: kidOf(lived, choice), expiresAt: secondsAfter(now, exceeding) }
    const answer = permitSigning(lived.policy, justRead(now))({ ...lived.ring, use: 'enc' }, request)
    assert.equal(answer, E.left({ error: 'not_the_signing_key' }))
  },
)

it(
  'what is permitted is permitted for any shorter time',
  [anyRing(), passed, exceedingRetention, fc.nat(10_000)],
  (lived, seconds, exceeding, shorter) => {
    const now = secondsAfter(lived.at, seconds)
    const permits = (expiresAt: number) =>
      E.isRight(
        permitSigning(lived.policy, justRead(now))(lived.ring, {
          kid: signingKey(lived.ring).kid,
          expiresAt: epochSeconds(expiresAt * 1000),
        }),
      )
    const expiresAt = now + lived.policy.retention + exceeding
    return !permits(expiresAt) || permits(expiresAt - shorter)
  },
)

it(
  'the key of a permitted signature is published until it expires, although its successor signs at once or the ring closes',
  [livedRing(), fc.boolean(), fc.nat(5_000)],
  (lived, closes, later) => {
    const { kid } = signingKey(lived.ring)
    const expiresAt = secondsAfter(lived.at, lived.policy.retention)
    assert.ok(E.isRight(permitSigning(lived.policy, justRead(lived.at))(lived.ring, { kid, expiresAt })))
    const rolled = rollOver(lived.policy, lived.at)(lived.ring, namedKey('successor'))
    const changed = closes ? retireRing(lived.at)(lived.ring) : E.isRight(rolled) ? rolled.right : lived.ring
    const moment = secondsAfter(lived.at, later)
    const then = closes ? retireRing(moment)(changed) : advance(lived.policy, moment)(changed)
    const isPublished = publishedKeys([then]).keys.some((key) => key.kid === kid)
    return moment >= expiresAt || isPublished
  },
)

const refusal = (changed: typeof ring, kid = 'first', expiresAt = secondsAfter(at, 50)) => {
  const answer = permitSigning(policy, justRead(at))(changed, { kid, expiresAt })
  return E.isLeft(answer) ? answer.left : 'permitted'
}

Permit('the last second of the retention is permitted, and not the one after it', () => {
  assert.is(refusal(ring), 'permitted')
  assert.equal(refusal(ring, 'first', secondsAfter(at, 51)), { error: 'good_for_too_long', retention: 50 })
})

Permit('an expiry that is no time is refused, and signs nothing without an end', () => {
  for (const expiresAt of [null, NaN, Infinity, -1, 1.5, '1700000000', {}])
    assert.equal(refusal(ring, 'first', expiresAt as EpochSeconds), { error: 'no_time' }, String(expiresAt))
})

Permit('a key that is announced or retired does not sign', () => {
  const rolled = rollOver(policy, at)(ring, namedKey('second'))
  assert.ok(E.isRight(rolled))
  assert.is(refusal(rolled.right, 'first'), 'permitted')
  assert.equal(refusal(rolled.right, 'second'), { error: 'not_the_signing_key' })
  const promoted = advance(policy, secondsAfter(at, 100))(rolled.right)
  assert.equal(refusal(promoted, 'first'), { error: 'not_the_signing_key' })
  assert.is(refusal(promoted, 'second'), 'permitted')
})

Permit('a ring that is closed signs nothing', () => {
  assert.equal(refusal(retireRing(at)(ring)), { error: 'ring_closed' })
})

Permit('a ring that came later signs from the second on at which it opens, and tells it', () => {
  const later = laterRing(policy, at, [])('ES256', 'sig', namedKey('first'))
  assert.equal(refusal(later), { error: 'ring_not_open', opensAt: secondsAfter(at, 100) })
  const signed = (seconds: number) =>
    permitSigning(policy, justRead(secondsAfter(at, seconds)))(later, {
      kid: 'first',
      expiresAt: secondsAfter(at, seconds),
    })
  assert.ok(E.isLeft(signed(99)))
  assert.ok(E.isRight(signed(100)))
})

Permit('the key is judged before the ring, and the ring before the time', () => {
  const forever = secondsAfter(at, 1_000_000)
  assert.equal(refusal(retireRing(at)(ring), 'another', forever), { error: 'not_the_signing_key' })
  assert.equal(refusal(retireRing(at)(ring), 'first', forever), { error: 'ring_closed' })
})

Permit.run()
