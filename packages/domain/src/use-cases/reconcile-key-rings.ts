// Reconciles the key rings with the settings: adds missing rings, announces successors, promotes, retires and forgets
// keys.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type RingPlan, planRings } from '../keys/plan-rings.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { KeyMaker, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type NextRing, storeKeyRings } from './steps/store-key-rings.js'

export type ReconcileKeyRingsPorts = Pick<KeyRings, 'readKeyRings' | 'replaceKeyRings'> &
  KeyMaker &
  Pauses &
  Pick<CredentialGenerator, 'now'>

const withKey =
  (ports: KeyMaker) =>
  (plan: RingPlan): TE.TaskEither<Unavailable, NextRing> =>
    'next' in plan
      ? TE.right(plan)
      : pipe(
          ports.makeKey(plan.alg),
          TE.map((generated) => ({ ring: plan.ring, next: plan.nextWith(generated) })),
        )

/**
 * Makes all due changes by these settings, and returns all rings as stored then. Two instances with different settings
 * would undo each other's changes: `rotateKeys` calls it only while this instance has the lease.
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
