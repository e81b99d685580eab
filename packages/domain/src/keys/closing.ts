// An algorithm that is taken out of use, and one that comes back.
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyRing } from './key-ring.js'
import { knownKids } from './key-ring.js'
import { forgetting } from './roll-over.js'

/** Nothing signs with it from now on; the keys that have signed are published until their signatures have expired. */
export const close =
  (at: EpochSeconds) =>
  (ring: KeyRing): KeyRing =>
    forgetting(at)(
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
export const forgottenAt = (ring: KeyRing): EpochSeconds | undefined => {
  if (ring.closedAt === undefined) return undefined
  const last = secondsAfter(ring.closedAt, ring.promised.retention)
  return last > ring.current.goodUntil ? last : ring.current.goodUntil
}

export const isForgotten = (ring: KeyRing, at: EpochSeconds): boolean => {
  const last = forgottenAt(ring)
  return last !== undefined && last <= at
}

/** Its keys were published all the while, so that they sign again at once. */
export const reopen = (ring: KeyRing): KeyRing =>
  ring.closedAt === undefined ? ring : { ...ring, closedAt: undefined }

/** A ring that was forgotten begins anew, but no name of its keys comes again. */
export const begunAnew = (ring: KeyRing, anew: KeyRing): KeyRing => ({
  ...anew,
  forgotten: knownKids(ring),
  version: ring.version,
})
