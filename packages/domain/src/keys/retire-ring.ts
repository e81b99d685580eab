// The ring of an algorithm that leaves signing-algorithms, and of one that comes back.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import { type KeyRing, knownKids } from './key-ring.js'

/**
 * OpenID Connect Core §10.1.1: a retired key stays in the set for a time, here until its last signature has expired. Then only its
 * name is stored.
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

/** No key of the ring signs from now on; the keys that have signed are published until their signatures have expired. */
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

/** When the last signature of a closed ring has expired, and its keys are forgotten. */
export const forgottenAt = ({ closedAt, promised, current, retired }: KeyRing): EpochSeconds | undefined =>
  closedAt === undefined
    ? undefined
    : [current.goodUntil, ...retired.map(({ forgottenAt: end }) => end)].reduce(
        later,
        secondsAfter(closedAt, promised.retention),
      )

export const isForgotten = (ring: KeyRing, at: EpochSeconds): boolean => {
  const last = forgottenAt(ring)
  return last !== undefined && last <= at
}

/** The rings that are published and listed. */
export const notForgotten = (rings: ReadonlyArray<KeyRing>, at: EpochSeconds): ReadonlyArray<KeyRing> =>
  rings.filter((ring) => !isForgotten(ring, at))

/** Of a ring that is forgotten only the names of its keys are stored. */
export const purge = (ring: KeyRing): KeyRing =>
  ring.current.key.privateKey === ''
    ? ring
    : {
        ...ring,
        current: { ...ring.current, key: { ...ring.current.key, privateKey: '' } },
        retired: [],
        forgotten: [...ring.forgotten, ...ring.retired.map(({ key }) => key.kid)],
      }

/** The keys of the ring were published all the while, so that they sign again at once. */
export const reinstateRing = (ring: KeyRing): KeyRing =>
  ring.closedAt === undefined ? ring : { ...ring, closedAt: undefined }

/** A new ring takes the place of one that was forgotten, and uses no name of its keys again. */
export const recreate = (ring: KeyRing, anew: KeyRing): KeyRing => ({
  ...anew,
  forgotten: knownKids(ring),
  version: ring.version,
})
