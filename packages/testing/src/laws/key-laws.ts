import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { type EpochSeconds, secondsAfter } from '@clientele/domain/kernel'
import {
  type GeneratedKey,
  type KeyPolicy,
  type KeyRing,
  type LastRead,
  type RingKey,
  type SigningRequest,
  advance,
  forgottenAt,
  keysOf,
  maxAgeOf,
  maxReadAge,
  maxSkew,
  newRing,
  permitSigning,
  retireRing,
  rollOver,
} from '@clientele/domain/keys'
import { keyPolicy, namedKey } from '../arbitraries/key-history.js'
import { exampleTime } from '../examples.js'
import { type Law, codeOf, lawsAbout, valueOf } from './law.js'

type Judged<Value> = E.Either<{ readonly error: string }, Value>

/**
 * The functions that the laws of keys are about: what an instance publishes and signs by the rings that it last read, and
 * how rings change meanwhile.
 */
export type KeyRules = {
  /** The seconds for which a set of these rings may be cached. */
  readonly maxAgeOf: (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>) => (read: LastRead) => Judged<number>
  readonly permitSigning: (
    policy: KeyPolicy,
    read: LastRead,
  ) => (ring: KeyRing, request: SigningRequest) => Judged<RingKey>
  /** All due changes that need no new key. */
  readonly advance: (policy: KeyPolicy, at: EpochSeconds) => (ring: KeyRing) => KeyRing
  /** Announces a successor. */
  readonly rollOver: (
    policy: KeyPolicy,
    at: EpochSeconds,
  ) => (ring: KeyRing, generated: GeneratedKey) => Judged<KeyRing>
  /** Closes the ring of an algorithm that is not used any more. */
  readonly retireRing: (at: EpochSeconds) => (ring: KeyRing) => KeyRing
  /** The time at which a closed ring leaves the set. */
  readonly forgottenAt: (ring: KeyRing) => EpochSeconds | undefined
}

/** The domain's own rules. */
export const keyRules: KeyRules = { maxAgeOf, permitSigning, advance, rollOver, retireRing, forgottenAt }

export type KeyLaw = Law<KeyRules>

const { law, lawsOf } = lawsAbout(keyRules)

// Several instances share the rings. An instance may be cut off from the store, so that it has not read a change that
// another instance made.

const bounds = 'docs/decisions/keys-of-several-instances.md'

const policy = keyPolicy()
const age = fc.oneof(fc.nat(2 * maxReadAge), fc.nat(3_000))
const ringUnder = (own: KeyPolicy): KeyRing => newRing(own, exampleTime)('EdDSA', 'sig', namedKey('first'))

const rolled = ({ rollOver }: KeyRules, own: KeyPolicy, at: EpochSeconds, ring = ringUnder(own)): KeyRing =>
  valueOf(rollOver(own, at)(ring, namedKey('second')))

const signsFrom = (ring: KeyRing): number => ring.announced?.signsFrom ?? Infinity

/** The latest expiry of a signature by an instance that read the ring at that time, and signs as late as it may. */
const lastExpiry = ({ permitSigning }: KeyRules, own: KeyPolicy, readAt: EpochSeconds): EpochSeconds => {
  const ring = ringUnder(own)
  const expiries = Array.from({ length: 2 * maxReadAge }, (_, seconds) => {
    const expiresAt = secondsAfter(readAt, seconds + own.retention)
    const judged = permitSigning(own, { at: readAt, age: seconds })(ring, { kid: 'first', expiresAt })
    return E.isRight(judged) ? expiresAt : readAt
  })
  return secondsAfter(readAt, Math.max(...expiries) - readAt)
}

const delay = fc.nat(maxSkew)

/** All laws of keys that several instances share. */
export const keyLaws: ReadonlyArray<KeyLaw> = lawsOf(bounds, {
  'set-expires-before-an-unread-key-signs': law(
    'a set is not cached until a key signs that was announced after its rings were read',
    [policy, age],
    (rules, own, seconds) => {
      const cached = rules.maxAgeOf(own, [ringUnder(own)])({ at: exampleTime, age: seconds })
      if (E.isLeft(cached)) return
      const announced = signsFrom(rolled(rules, own, exampleTime))
      assert.ok(secondsAfter(exampleTime, seconds + cached.right + maxSkew) <= announced)
    },
  ),
  'set-is-published-without-the-store': law(
    'a set is published until a key may sign that it lacks, whether or not the store answers',
    [policy, age],
    ({ maxAgeOf }, own, seconds) => {
      const code = codeOf(maxAgeOf(own, [ringUnder(own)])({ at: exampleTime, age: seconds }))
      assert.is(code, seconds + maxSkew < own.publishAhead ? 'permitted' : 'unavailable')
    },
  ),
  'new-policy-waits-for-cached-sets': law(
    'under a shorter policy, a new key signs after the sets that were cached under the earlier one have expired',
    [policy, policy],
    (rules, earlier, present) => {
      const ring = rules.advance(present, exampleTime)(ringUnder(earlier))
      const announced = signsFrom(rolled(rules, present, exampleTime, ring))
      assert.ok(announced >= secondsAfter(exampleTime, Math.max(earlier.publishAhead, present.publishAhead)))
    },
  ),
  'old-rings-do-not-sign': law(
    'an instance signs on rings that it read within the bound, and is unavailable after it',
    [policy, age],
    ({ permitSigning }, own, seconds) => {
      const judged = permitSigning(own, { at: exampleTime, age: seconds })
      const code = codeOf(judged(ringUnder(own), { kid: 'first', expiresAt: exampleTime }))
      assert.is(code, seconds <= maxReadAge ? 'permitted' : 'unavailable')
    },
  ),
  'ring-opens-by-the-time-of-the-store': law(
    'a ring that was added to others opens at its time by the clock of the store, not by an estimate of it',
    [policy, fc.nat(maxReadAge), fc.integer({ min: -60, max: 60 })],
    ({ permitSigning }, own, seconds, after) => {
      const ring = { ...ringUnder(own), opensAt: exampleTime }
      const read = { at: secondsAfter(exampleTime, after), age: seconds }
      const code = codeOf(permitSigning(own, read)(ring, { kid: 'first', expiresAt: exampleTime }))
      assert.is(code, after >= 0 ? 'permitted' : 'ring_not_open')
    },
  ),
  'replaced-key-is-published-until-its-signatures-expire': law(
    'a replaced key is published until the signatures expire of an instance that has not read of its successor',
    [policy, delay],
    (rules, own, unread) => {
      const announced = rolled(rules, own, exampleTime)
      const promotedAt = secondsAfter(exampleTime, signsFrom(announced) - exampleTime)
      const promoted = rules.advance(own, promotedAt)(announced)
      const expiry = lastExpiry(rules, own, secondsAfter(promotedAt, unread))
      const last = rules.advance(own, secondsAfter(expiry, -1))(promoted)
      assert.ok(keysOf(last).some(({ key }) => key.kid === 'first'))
    },
  ),
  'closed-ring-is-published-until-its-signatures-expire': law(
    'a closed ring is published until the signatures expire of an instance that has not read of its end',
    [policy, delay],
    (rules, own, unread) => {
      const forgotten = rules.forgottenAt(rules.retireRing(exampleTime)(ringUnder(own)))
      assert.ok(forgotten !== undefined && forgotten >= lastExpiry(rules, own, secondsAfter(exampleTime, unread)))
    },
  ),
})
