// The successor of the key that signs.
import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import { signsFrom } from './advance.js'
import type { KeyPolicy } from './key-settings.js'
import { type KeyRing, knownKids } from './key-ring.js'
import type { GeneratedKey } from './new-ring.js'

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
