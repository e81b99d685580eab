// How rings begin, change and end with time.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, earlier, later, secondsAfter } from '../kernel/time.js'
import {
  type AnnouncedKey,
  type KeyPhase,
  type KeyPolicy,
  type KeyPromises,
  type KeyRing,
  type KeySettings,
  type KeyUse,
  type RingKey,
  type RingName,
  cachedUntilOf,
  keysOf,
  knownKids,
  maxSkew,
  neededUntil,
  ringNames,
} from './ring.js'

// The ring of an algorithm that has none.

/** A key pair that no ring publishes yet. */
export type GeneratedKey = Omit<RingKey, 'publishedAt'>

/** The promises to verifiers and signers under this policy. */
const promisesOf = ({ maxAge, retention, publishAhead }: KeyPolicy): KeyPromises => ({
  maxAge,
  retention,
  publishAhead,
})

/** The key that signs from now on. An encryption key is published from now on, and not before. */
export const becomesCurrent = (use: KeyUse, key: RingKey, at: EpochSeconds): KeyRing['current'] => ({
  key: use === 'enc' ? { ...key, publishedAt: at } : key,
  since: at,
  goodUntil: at,
})

/** The first rings of a service sign at once: no verifier has a set without their keys. */
export const newRing =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (alg: string, use: KeyUse, generated: GeneratedKey): KeyRing => ({
    alg,
    use,
    current: becomesCurrent(use, { ...generated, publishedAt: at }, at),
    announced: undefined,
    retired: [],
    opensAt: undefined,
    closedAt: undefined,
    forgotten: [],
    promised: promisesOf(policy),
    cachedUntil: at,
    version: 1,
  })

/**
 * OpenID Connect Core §10.1.1: a ring that is added to others signs when every verifier has fetched its key. Clients
 * encrypt to a key as soon as they have fetched it.
 */
export const laterRing =
  (policy: KeyPolicy, at: EpochSeconds, others: ReadonlyArray<KeyRing>) =>
  (alg: string, use: KeyUse, generated: GeneratedKey): KeyRing => {
    const cachedUntil = others.reduce((latest, ring) => later(latest, cachedUntilOf(ring, at)), at)
    const opensAt = later(cachedUntil, secondsAfter(at, policy.publishAhead))
    return { ...newRing(policy, at)(alg, use, generated), cachedUntil, opensAt: use === 'enc' ? undefined : opensAt }
  }

// The ring of an algorithm that leaves the setting signing-algorithms, or returns to it.

/**
 * OpenID Connect Core §10.1.1: a retired key stays in the set for a time, here until its last signature has expired.
 * After that, only its name is stored.
 */
const dropExpired =
  (at: EpochSeconds) =>
  (ring: KeyRing): KeyRing => {
    const gone = ring.retired.filter(({ forgottenAt }) => forgottenAt <= at)
    return gone.length === 0
      ? ring
      : {
          ...ring,
          retired: ring.retired.filter(({ forgottenAt }) => at < forgottenAt),
          forgotten: [...ring.forgotten, ...gone.map(({ key }) => key.kid)],
        }
  }

/**
 * From now on no key of the ring signs; the keys that have signed are published until their signatures have expired.
 */
export const retireRing =
  (at: EpochSeconds) =>
  (ring: KeyRing): KeyRing =>
    dropExpired(at)(
      ring.closedAt === undefined
        ? {
            ...ring,
            closedAt: at,
            announced: undefined,
            forgotten: [...ring.forgotten, ...(ring.announced === undefined ? [] : [ring.announced.key.kid])],
          }
        : ring,
    )

/** The time at which the last signature of a closed ring has expired and its keys are forgotten. */
export const forgottenAt = (ring: KeyRing): EpochSeconds | undefined =>
  ring.closedAt === undefined
    ? undefined
    : [ring.current.goodUntil, ...ring.retired.map(({ forgottenAt: end }) => end)].reduce(
        later,
        neededUntil(ring, ring.promised, ring.closedAt),
      )

export const isForgotten = (ring: KeyRing, at: EpochSeconds): boolean => {
  const last = forgottenAt(ring)
  return last !== undefined && last <= at
}

/** The rings that are published and listed. */
export const notForgotten = (rings: ReadonlyArray<KeyRing>, at: EpochSeconds): ReadonlyArray<KeyRing> =>
  rings.filter((ring) => !isForgotten(ring, at))

/** A forgotten ring: only the names of its keys are stored. */
const purge = (ring: KeyRing): KeyRing =>
  ring.current.key.privateKey === ''
    ? ring
    : {
        ...ring,
        current: { ...ring.current, key: { ...ring.current.key, privateKey: '' } },
        retired: [],
        forgotten: [...ring.forgotten, ...ring.retired.map(({ key }) => key.kid)],
      }

/**
 * The keys of the ring stayed published, so that they sign again at once; but not if another instance may have read the
 * ring as forgotten meanwhile.
 */
export const reinstateRing =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing): KeyRing => {
    if (ring.closedAt === undefined) return ring
    return isForgotten(ring, secondsAfter(at, maxSkew))
      ? { ...ring, closedAt: undefined, opensAt: later(cachedUntilOf(ring, at), secondsAfter(at, policy.publishAhead)) }
      : { ...ring, closedAt: undefined }
  }

/** A new ring in place of a forgotten one; it reuses no key name. */
export const recreate = (ring: KeyRing, anew: KeyRing): KeyRing => ({
  ...anew,
  forgotten: knownKids(ring),
  version: ring.version,
})

// announced → signing → retired → forgotten: the changes that are due in a ring, as a function of policy, time and
// ring.

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
    if (secondsBehind(at)(ring) === 0) return ring
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
    current: becomesCurrent(ring.use, successor, at),
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

// The successor of the key that signs.

/** A successor is already announced; it signs at that time. */
export type RollOverUnderWay = { readonly error: 'roll_over_under_way'; readonly signsFrom: EpochSeconds }
/** A key of that name is or was in the ring. */
export type KidKnown = { readonly error: 'kid_known'; readonly kid: string }

/** The time at which the schedule announces the successor, so that it signs when the lifetime ends. */
export const announcedAt = (policy: KeyPolicy, ring: KeyRing): EpochSeconds =>
  secondsAfter(ring.current.since, Math.max(0, policy.lifetime - policy.publishAhead))

export const needsSuccessor =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing): boolean =>
    ring.announced === undefined && announcedAt(policy, ring) <= at

/** OpenID Connect Core §10.1.1: publishes the successor, which signs when every verifier has fetched it. */
export const rollOver =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, generated: GeneratedKey): E.Either<RollOverUnderWay | KidKnown, KeyRing> => {
    if (ring.announced !== undefined)
      return E.left({ error: 'roll_over_under_way', signsFrom: signsFrom(policy, ring.announced) })
    if (knownKids(ring).includes(generated.kid)) return E.left({ error: 'kid_known', kid: generated.kid })
    const announced = { key: { ...generated, publishedAt: at }, signsFrom: later(ring.cachedUntil, at) }
    return E.right({ ...ring, announced: { ...announced, signsFrom: signsFrom(policy, announced) } })
  }

// The state that each ring should have by the settings: a ring for each algorithm, one for encryption, all others
// closed.

/** A stored ring, if there is one, and its due state; the same object when nothing is due. */
export type RingPlan = { readonly ring: KeyRing | undefined } & (
  | { readonly next: KeyRing }
  /** The algorithm of the new key that the ring needs. */
  | { readonly alg: string; readonly nextWith: (generated: GeneratedKey) => KeyRing }
)

export const isOf =
  ({ alg, use }: RingName) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use

const planOpen =
  ({ policy }: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  ({ alg, use }: RingName): RingPlan => {
    const ring = rings.find(isOf({ alg, use }))
    const make = rings.length === 0 ? newRing(policy, at) : laterRing(policy, at, rings)
    if (ring === undefined) return { ring, alg, nextWith: (generated) => make(alg, use, generated) }
    if (isForgotten(ring, at)) return { ring, alg, nextWith: (generated) => recreate(ring, make(alg, use, generated)) }
    const advanced = advance(policy, at)(reinstateRing(policy, at)(ring))
    const succeeded = (generated: GeneratedKey): KeyRing =>
      pipe(
        rollOver(policy, at)(advanced, generated),
        E.getOrElse(() => advanced),
      )
    return needsSuccessor(policy, at)(advanced) ? { ring, alg, nextWith: succeeded } : { ring, next: advanced }
  }

const planClosed =
  (at: EpochSeconds) =>
  (ring: KeyRing): RingPlan => ({ ring, next: isForgotten(ring, at) ? purge(ring) : retireRing(at)(ring) })

/** In the order of the settings, then the rings that the settings do not name. */
export const planRings =
  (settings: KeySettings, at: EpochSeconds) =>
  (rings: ReadonlyArray<KeyRing>): ReadonlyArray<RingPlan> => {
    const names = ringNames(settings)
    const unused = rings.filter((ring) => !names.some((name) => isOf(name)(ring)))
    return [...names.map(planOpen(settings, at, rings)), ...unused.map(planClosed(at))]
  }

/** Whether nothing is due in any ring. */
export const areReconciled = (settings: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>): boolean =>
  planRings(settings, at)(rings).every((plan) => 'next' in plan && plan.next === plan.ring)

const phasesOf = (ring: KeyRing | undefined): ReadonlyMap<string, KeyPhase> =>
  new Map(ring === undefined ? [] : keysOf(ring).map(({ key, phase }) => [key.kid, phase]))

/** The keys that were added or removed, or changed their phase, sorted. */
export const changedKids = (before: KeyRing | undefined, after: KeyRing): ReadonlyArray<string> => {
  const were = phasesOf(before)
  const are = phasesOf(after)
  return [...new Set([...were.keys(), ...are.keys()])].filter((kid) => were.get(kid) !== are.get(kid)).sort()
}
