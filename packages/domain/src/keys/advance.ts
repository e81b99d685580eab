// announced → signing → retired → forgotten: what is due with a ring at a time, as a function of policy, time and ring.
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, earlier, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-policy.js'
import type { AnnouncedKey, KeyRing, RingKey } from './key-ring.js'
import { dropExpired } from './retire-ring.js'

type Step = (ring: KeyRing) => KeyRing

const isPromised = ({ promised }: KeyRing, policy: KeyPolicy): boolean =>
  promised.maxAge === policy.maxAge && promised.retention === policy.retention

// RFC 9111 §5.2.2.1: a verifier may keep a set, and a token is valid, for as long as the policy said when it was given out.
const carryOverPromises =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) =>
    isPromised(ring, policy)
      ? ring
      : {
          ...ring,
          cachedUntil: later(ring.cachedUntil, secondsAfter(at, ring.promised.maxAge)),
          current: {
            ...ring.current,
            goodUntil: later(ring.current.goodUntil, secondsAfter(at, ring.promised.retention)),
          },
          promised: { maxAge: policy.maxAge, retention: policy.retention },
        }

/** In seconds: so far the clocks of two instances may differ, without either of them being taken for wrong. */
export const clockTolerance = 60

const isAhead =
  (at: EpochSeconds) =>
  ({ announced, current }: KeyRing): boolean =>
    later(current.since, later(current.key.publishedAt, announced?.key.publishedAt ?? at)) >
    secondsAfter(at, clockTolerance)

const publishedBy = (key: RingKey, at: EpochSeconds): RingKey => ({
  ...key,
  publishedAt: earlier(key.publishedAt, at),
})

// A clock that was ahead would hold up the ring until that time comes: a time that lies too far ahead is set to the latest usual one.
const clampToClock =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) => {
    const { announced, current, opensAt } = ring
    if (!isAhead(at)(ring)) return ring
    const latest = secondsAfter(at, policy.publishAhead)
    return {
      ...ring,
      current: { ...current, since: earlier(current.since, at), key: publishedBy(current.key, at) },
      opensAt: opensAt === undefined ? undefined : earlier(opensAt, latest),
      cachedUntil: earlier(ring.cachedUntil, secondsAfter(at, ring.promised.maxAge)),
      announced:
        announced === undefined
          ? undefined
          : {
              key: publishedBy(announced.key, at),
              signsFrom: earlier(announced.signsFrom, latest),
            },
    }
  }

const opening =
  (at: EpochSeconds): Step =>
  (ring) =>
    ring.opensAt !== undefined && ring.opensAt <= at ? { ...ring, opensAt: undefined } : ring

/** OpenID Connect Core §10.1.1: the successor signs from now on, and the key before it is retired. */
export const promote =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, successor: RingKey): KeyRing => ({
    ...ring,
    current: { key: successor, since: at, goodUntil: at },
    announced: undefined,
    opensAt: undefined,
    retired: [
      ...ring.retired,
      {
        key: ring.current.key,
        since: at,
        forgottenAt: later(ring.current.goodUntil, secondsAfter(at, policy.retention)),
      },
    ],
  })

/** When the announced key signs: as it was announced, and as today's policy has it. */
export const signsFrom = (policy: KeyPolicy, announced: AnnouncedKey): EpochSeconds =>
  later(announced.signsFrom, secondsAfter(announced.key.publishedAt, policy.publishAhead))

const promoting =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) =>
    ring.announced !== undefined && signsFrom(policy, ring.announced) <= at
      ? promote(policy, at)(ring, ring.announced.key)
      : ring

/** Everything that is due, but for what needs a new key; the very ring when nothing is. */
export const advance =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) =>
    pipe(
      ring,
      clampToClock(policy, at),
      carryOverPromises(policy, at),
      opening(at),
      promoting(policy, at),
      dropExpired(at),
    )
