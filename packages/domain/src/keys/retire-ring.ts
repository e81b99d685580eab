// The ring of an algorithm that leaves the setting signing-algorithms, or returns to it.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import { type KeyRing, knownKids } from './key-ring.js'
import type { KeyPolicy } from './key-settings.js'
import { maxSkew } from './last-read.js'
import { cachedUntilOf, neededUntil } from './published-until.js'

/**
 * OpenID Connect Core §10.1.1: a retired key stays in the set for a time, here until its last signature has expired.
 * After that, only its name is stored.
 */
export const dropExpired =
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
export const purge = (ring: KeyRing): KeyRing =>
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
