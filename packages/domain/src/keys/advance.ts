// announced → signing → retired → forgotten: the changes that are due in a ring, as a function of policy, time and
// ring.
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, earlier, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-settings.js'
import type { AnnouncedKey, KeyRing, RingKey } from './key-ring.js'
import { promisesOf } from './new-ring.js'
import { cachedUntilOf, neededUntil } from './published-until.js'
import { dropExpired } from './retire-ring.js'

type Step = (ring: KeyRing) => KeyRing

const isPromised = ({ promised }: KeyRing, policy: KeyPolicy): boolean =>
  promised.maxAge === policy.maxAge &&
  promised.retention === policy.retention &&
  promised.publishAhead === policy.publishAhead

// RFC 9111 §5.2.2.1: verifiers cache a set, and tokens are valid, for the times of the policy in force when they were
// issued.
const carryOverPromises =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) =>
    isPromised(ring, policy)
      ? ring
      : {
          ...ring,
          cachedUntil: cachedUntilOf(ring, at),
          current: {
            ...ring.current,
            goodUntil: later(ring.current.goodUntil, neededUntil(ring, ring.promised, at)),
          },
          promised: promisesOf(policy),
        }

/** In seconds: a time that is further ahead of the store's clock is an error of that clock. */
export const clockTolerance = 60

/** Seconds by which the clock is behind the last change of the ring, beyond what is tolerated; 0 where it is not. */
export const secondsBehind =
  (at: EpochSeconds) =>
  ({ announced, current }: Pick<KeyRing, 'announced' | 'current'>): number => {
    const changed = later(current.since, later(current.key.publishedAt, announced?.key.publishedAt ?? at))
    return changed > secondsAfter(at, clockTolerance) ? changed - at : 0
  }

const isAhead =
  (at: EpochSeconds) =>
  (ring: KeyRing): boolean =>
    secondsBehind(at)(ring) > 0

const publishedBy = (key: RingKey, at: EpochSeconds): RingKey => ({
  ...key,
  publishedAt: earlier(key.publishedAt, at),
})

// A time that a clock ahead of the others has set would block the ring: it is set to the latest time that is possible
// by the policy.
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
      cachedUntil: earlier(ring.cachedUntil, cachedUntilOf({ ...ring, cachedUntil: at }, at)),
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

/** OpenID Connect Core §10.1.1: the successor signs from now on, and the previous key is retired. */
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
        forgottenAt: later(ring.current.goodUntil, neededUntil(ring, policy, at)),
      },
    ],
  })

/** The time from which the announced key signs: the later one of its announcement and the present policy. */
export const signsFrom = (policy: KeyPolicy, announced: AnnouncedKey): EpochSeconds =>
  later(announced.signsFrom, secondsAfter(announced.key.publishedAt, policy.publishAhead))

const promoting =
  (policy: KeyPolicy, at: EpochSeconds): Step =>
  (ring) =>
    ring.announced !== undefined && signsFrom(policy, ring.announced) <= at
      ? promote(policy, at)(ring, ring.announced.key)
      : ring

/** The ring after all due changes except those that need a new key; the same object when nothing is due. */
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
