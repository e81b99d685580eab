// What is due with the key rings: rings that are missing, successors to announce, keys to promote, retire and forget.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type RingPlan, planRings } from '../keys/plan-rings.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyMaker, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/pauses.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type NextRing, storeKeyRings } from './steps/store-key-rings.js'

export type ReconcileKeyRingsPorts = Pick<KeyRings, 'readKeyRings' | 'replaceKeyRings'> &
  KeyMaker &
  Pauses &
  Pick<Fresh, 'now'>

const withKey =
  (ports: KeyMaker) =>
  (plan: RingPlan): TE.TaskEither<Unavailable, NextRing> =>
    'next' in plan
      ? TE.right(plan)
      : pipe(
          ports.makeKey(plan.alg),
          TE.map((fresh) => ({ ring: plan.ring, next: plan.nextWith(fresh) })),
        )

/**
 * Brings every ring to where it should be by these settings, and answers with all rings as they are stored then. Two instances
 * with different settings would change the rings in turns: `rotateKeys` calls it while this instance holds the lease.
 */
export const reconcileKeyRings = (
  settings: KeySettings,
  ports: ReconcileKeyRingsPorts,
): TE.TaskEither<UnreadableKeyRing | Unavailable, ReadonlyArray<KeyRing>> =>
  retryOnConflict(ports)(
    pipe(
      ports.readKeyRings,
      TE.map((rings) => planRings(settings, ports.now())(rings)),
      TE.flatMap((plans) => TE.sequenceSeqArray(plans.map(withKey(ports)))),
      TE.flatMap(storeKeyRings(ports)),
    ),
  )
