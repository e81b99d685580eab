// The turn of an instance at the key rings. One instance at a time, the holder of the lease, reconciles them with its settings;
// all others only read, so that no two settings and no two clocks change the rings in turns, and no key is made in vain.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type KeyState, withRings } from '../keys/key-state.js'
import { areReconciled } from '../keys/plan-rings.js'
import type { UnreadableKeyRing } from '../ports/key-rings.js'
import type { Leases } from '../ports/leases.js'
import { type ReconcileKeyRingsPorts, reconcileKeyRings } from './reconcile-key-rings.js'

/** The name of the lease. */
export const keyRingsLease = 'key-rings'

/** In seconds: so much later another instance can follow one that ended without giving the lease up. */
export const keyRingsLeaseLength = 30

export type RotateKeysPorts = ReconcileKeyRingsPorts & Pick<Leases, 'acquireLease'>

// A lease is prolonged when half of it is over. More than its length is left after a clock went back.
const isHeld = ({ leasedUntil }: KeyState, at: EpochSeconds): boolean => {
  const left = leasedUntil === undefined ? 0 : leasedUntil - at
  return left > keyRingsLeaseLength / 2 && left <= keyRingsLeaseLength
}

type Rotated = TE.TaskEither<UnreadableKeyRing | Unavailable, KeyState>

const reconciled = (settings: KeySettings, ports: ReconcileKeyRingsPorts, state: KeyState): Rotated =>
  pipe(
    reconcileKeyRings(settings, ports),
    TE.map((rings) => withRings(settings, ports.now())(state, rings)),
  )

/** Takes the lease or prolongs it, and then does what is due; without the lease, nothing. */
export const rotateKeys =
  (settings: KeySettings, ports: RotateKeysPorts, holder: string) =>
  (state: KeyState): Rotated => {
    const at = ports.now()
    const isDone = areReconciled(settings, at, state.rings)
    if (isDone && isHeld(state, at)) return TE.right(state)
    const until = secondsAfter(at, keyRingsLeaseLength)
    return pipe(
      ports.acquireLease({ name: keyRingsLease, holder, until }, at),
      TE.map((isGranted): KeyState => ({ ...state, leasedUntil: isGranted ? until : undefined })),
      TE.flatMap((next) =>
        next.leasedUntil === undefined || isDone ? TE.right(next) : reconciled(settings, ports, next),
      ),
    )
  }
