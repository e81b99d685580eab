import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { forgottenAt } from './closing.js'
import type { KeyPolicy } from './key-policy.js'
import type { KeyPhase, KeyRing, KeyUse } from './key-ring.js'
import { announcedAt, signsFrom } from './roll-over.js'

/** A key as operators see it: never its private half. */
export type KeyDescription = {
  readonly kid: string
  readonly alg: string
  readonly use: KeyUse
  readonly phase: KeyPhase | 'closed'
  readonly published_at: EpochSeconds
  /** Since when it is in this phase. */
  readonly since: EpochSeconds
  /** What happens to it next, and when. */
  readonly next: 'signs' | 'successor is announced' | 'retires' | 'is forgotten'
  readonly next_at: EpochSeconds
}

const ofCurrent = (policy: KeyPolicy, ring: KeyRing): Pick<KeyDescription, 'phase' | 'since' | 'next' | 'next_at'> => {
  const end = forgottenAt(ring)
  if (ring.closedAt !== undefined && end !== undefined)
    return { phase: 'closed', since: ring.closedAt, next: 'is forgotten', next_at: end }
  if (ring.opensAt !== undefined)
    return { phase: 'announced', since: ring.current.key.publishedAt, next: 'signs', next_at: ring.opensAt }
  return ring.announced === undefined
    ? {
        phase: 'signing',
        since: ring.current.since,
        next: 'successor is announced',
        next_at: announcedAt(policy, ring),
      }
    : { phase: 'signing', since: ring.current.since, next: 'retires', next_at: signsFrom(policy, ring.announced) }
}

const describeRing =
  (policy: KeyPolicy) =>
  (ring: KeyRing): ReadonlyArray<KeyDescription> => {
    const { alg, use, announced, current, retired } = ring
    const named = { alg, use }
    return [
      ...(announced === undefined
        ? []
        : [
            {
              ...named,
              kid: announced.key.kid,
              phase: 'announced' as const,
              published_at: announced.key.publishedAt,
              since: announced.key.publishedAt,
              next: 'signs' as const,
              next_at: signsFrom(policy, announced),
            },
          ]),
      { ...named, kid: current.key.kid, published_at: current.key.publishedAt, ...ofCurrent(policy, ring) },
      ...retired.map(({ key, since, forgottenAt: end }) => ({
        ...named,
        kid: key.kid,
        phase: 'retired' as const,
        published_at: key.publishedAt,
        since,
        next: 'is forgotten' as const,
        next_at: end,
      })),
    ]
  }

/** Every key of the rings, each with its phase and what comes next. */
export const describeKeys = (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>): ReadonlyArray<KeyDescription> =>
  rings.flatMap(describeRing(policy))
