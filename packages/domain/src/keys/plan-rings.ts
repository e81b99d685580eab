// The state that each ring should have by the settings: a ring for each algorithm, one for encryption, all others
// closed.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { isForgotten, purge, recreate, reinstateRing, retireRing } from './retire-ring.js'
import type { KeyRing } from './key-ring.js'
import { type KeySettings, type RingName, ringNames } from './key-settings.js'
import { type GeneratedKey, laterRing, newRing } from './new-ring.js'
import { advance } from './advance.js'
import { needsSuccessor, rollOver } from './roll-over.js'

/** A stored ring, if there is one, and its due state; the same object when nothing is due. */
export type RingPlan = { readonly ring: KeyRing | undefined } & (
  | { readonly next: KeyRing }
  /** The algorithm of the new key that the ring needs. */
  | { readonly alg: string; readonly nextWith: (generated: GeneratedKey) => KeyRing }
)

const isOf =
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
