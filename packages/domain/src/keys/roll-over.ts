// announced → signing → retired → forgotten: each step of a key's life as a function of policy, time and ring.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { earlier, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-policy.js'
import type { AnnouncedKey, KeyRing, KeyUse, RingKey } from './key-ring.js'
import { knownKids } from './key-ring.js'

/** A key pair that no ring publishes yet. */
export type FreshKey = Omit<RingKey, 'publishedAt'>

/** A successor is announced already; it signs at that time. */
export type RollOverUnderWay = { readonly error: 'roll_over_under_way'; readonly signsFrom: EpochSeconds }
/** A key of that name is or was in the ring. */
export type KidKnown = { readonly error: 'kid_known'; readonly kid: string }

type Step = (ring: KeyRing) => KeyRing

/** The very first rings sign at once: nobody keeps a set without their keys. */
export const newRing =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (alg: string, use: KeyUse, fresh: FreshKey): KeyRing => ({
    alg,
    use,
    current: { key: { ...fresh, publishedAt: at }, since: at, goodUntil: at },
    announced: undefined,
    retired: [],
    opensAt: undefined,
    closedAt: undefined,
    forgotten: [],
    promised: { maxAge: policy.maxAge, retention: policy.retention },
    cachedUntil: at,
    version: 1,
  })

/** Until when sets that were given out may be kept, whatever policy they were given out under. */
export const keptUntil = (rings: ReadonlyArray<KeyRing>, at: EpochSeconds): EpochSeconds =>
  rings.reduce(
    (latest, { cachedUntil, promised }) => later(latest, later(cachedUntil, secondsAfter(at, promised.maxAge))),
    at,
  )

/** A ring that comes when others are there signs once every verifier has had time to see it. */
export const laterRing =
  (policy: KeyPolicy, at: EpochSeconds, others: ReadonlyArray<KeyRing>) =>
  (alg: string, use: KeyUse, fresh: FreshKey): KeyRing => {
    const cachedUntil = keptUntil(others, at)
    const opensAt = later(cachedUntil, secondsAfter(at, policy.publishAhead))
    return { ...newRing(policy, at)(alg, use, fresh), cachedUntil, opensAt }
  }

const isPromised = ({ promised }: KeyRing, policy: KeyPolicy): boolean =>
  promised.maxAge === policy.maxAge && promised.retention === policy.retention

// Sets and signatures that were given out under another policy keep what they were promised.
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

/** The successor signs from now on, and the key before it is retired. */
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

/** Retired keys whose last signature has expired are gone, and only their names remain. */
export const dropExpired =
  (at: EpochSeconds): Step =>
  (ring) => {
    const gone = ring.retired.filter(({ forgottenAt }) => forgottenAt <= at)
    return gone.length === 0
      ? ring
      : {
          ...ring,
          retired: ring.retired.filter(({ forgottenAt }) => at < forgottenAt),
          forgotten: [...ring.forgotten, ...gone.map(({ key }) => key.kid)],
        }
  }

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

/** When the successor is announced of itself, so that it signs when the lifetime is over. */
export const announcedAt = (policy: KeyPolicy, ring: KeyRing): EpochSeconds =>
  secondsAfter(ring.current.since, Math.max(0, policy.lifetime - policy.publishAhead))

export const needsSuccessor =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing): boolean =>
    ring.announced === undefined && announcedAt(policy, ring) <= at

/** Publishes the successor, which signs once every verifier has had time to see it. */
export const rollOver =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, fresh: FreshKey): E.Either<RollOverUnderWay | KidKnown, KeyRing> => {
    if (ring.announced !== undefined)
      return E.left({ error: 'roll_over_under_way', signsFrom: signsFrom(policy, ring.announced) })
    if (knownKids(ring).includes(fresh.kid)) return E.left({ error: 'kid_known', kid: fresh.kid })
    const announced = { key: { ...fresh, publishedAt: at }, signsFrom: later(ring.cachedUntil, at) }
    return E.right({ ...ring, announced: { ...announced, signsFrom: signsFrom(policy, announced) } })
  }
