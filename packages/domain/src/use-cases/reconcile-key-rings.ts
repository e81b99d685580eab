// Reconciles the key rings with the settings: adds missing rings, announces successors, promotes, retires and forgets
// keys.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { GeneratedKey } from '../keys/new-ring.js'
import { type RingPlan, planRings } from '../keys/plan-rings.js'
import type { KeyMaker, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type AuditKeys, type NextRing, storeKeyRings } from './steps/store-key-rings.js'

export type ReconcileKeyRingsPorts = Pick<KeyRings, 'readStoreTime' | 'readKeyRings' | 'replaceKeyRings'> &
  KeyMaker &
  Pauses &
  AuditKeys

const keyFor =
  (ports: KeyMaker) =>
  (plan: RingPlan): TE.TaskEither<Unavailable, GeneratedKey | undefined> =>
    'next' in plan ? TE.right(undefined) : ports.makeKey(plan.alg)

// A ring that needs a key only since the keys were made gets one the next time.
const nextRing = (plan: RingPlan, generated: GeneratedKey | undefined): ReadonlyArray<NextRing> => {
  if ('next' in plan) return [plan]
  if (generated !== undefined) return [{ ring: plan.ring, next: plan.nextWith(generated) }]
  return plan.ring === undefined ? [] : [{ ring: plan.ring, next: plan.ring }]
}

// Making keys takes time: the changes are planned again, by the time at which they are stored.
const storedAnew =
  (settings: KeySettings, ports: ReconcileKeyRingsPorts, rings: ReadonlyArray<KeyRing>) =>
  (keys: ReadonlyArray<GeneratedKey | undefined>): ReturnType<ReturnType<typeof storeKeyRings>> =>
    pipe(
      ports.readStoreTime,
      TE.flatMap((at) =>
        storeKeyRings(ports, at)(planRings(settings, at)(rings).flatMap((plan, index) => nextRing(plan, keys[index]))),
      ),
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
      TE.bindTo('rings'),
      TE.bindW('at', () => ports.readStoreTime),
      TE.flatMap(({ rings, at }) =>
        pipe(
          planRings(settings, at)(rings).map(keyFor(ports)),
          TE.sequenceSeqArray,
          TE.flatMap(storedAnew(settings, ports, rings)),
        ),
      ),
    ),
  )
