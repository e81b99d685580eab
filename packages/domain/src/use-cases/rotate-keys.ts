// One instance at a time, the holder of the lease, reconciles the key rings with its settings; the others only read.
// Thus instances with different settings do not undo each other's changes, and no key is made in vain.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import { serviceActor } from '../audit/audit-entry.js'
import type { Unavailable } from '../errors.js'
import type { KeySettings } from '../keys/key-settings.js'
import { type KeyState, withRings } from '../keys/key-state.js'
import { areReconciled } from '../keys/plan-rings.js'
import type { UnreadableKeyRing } from '../ports/key-rings.js'
import type { Leases } from '../ports/leases.js'
import { type AuditPorts, audited } from './steps/audited.js'
import { type ReconcileKeyRingsPorts, reconcileKeyRings } from './reconcile-key-rings.js'
import type { AuditKeys } from './steps/store-key-rings.js'

/** The name of the lease. */
export const keyRingsLease = 'key-rings'

/** In seconds: the maximum delay before another instance follows one that ended without releasing the lease. */
export const keyRingsLeaseLength = 30

export type RotateKeysPorts = Omit<ReconcileKeyRingsPorts, 'auditKeys'> & Pick<Leases, 'acquireLease'> & AuditPorts

// A lease is renewed after half of its length. After a clock was set back, more than its length remains.
const isLeased = ({ leasedUntil }: KeyState, at: EpochSeconds): boolean => {
  const left = leasedUntil === undefined ? 0 : leasedUntil - at
  return left > keyRingsLeaseLength / 2 && left <= keyRingsLeaseLength
}

type Rotated = TE.TaskEither<UnreadableKeyRing | Unavailable, KeyState>

// The instance is what made the change.
const auditedByService = (ports: AuditPorts, holder: string): Required<AuditKeys> => ({
  auditKeys: (at, kids) =>
    audited(ports, { origin: { door: 'service', request_id: holder } }, () => ({
      at,
      action: 'keys_rotated',
      actor: serviceActor,
      kids,
      members: [],
    })),
})

const reconciled = (settings: KeySettings, ports: ReconcileKeyRingsPorts, state: KeyState, at: EpochSeconds): Rotated =>
  pipe(
    reconcileKeyRings(settings, ports),
    TE.map((rings) => withRings(settings, at)(state, rings)),
  )

const rotated =
  (settings: KeySettings, ports: RotateKeysPorts, holder: string, state: KeyState) =>
  (at: EpochSeconds): Rotated => {
    const isDone = areReconciled(settings, at, state.rings)
    if (isDone && isLeased(state, at)) return TE.right(state)
    const until = secondsAfter(at, keyRingsLeaseLength)
    return pipe(
      ports.acquireLease({ name: keyRingsLease, holder, until }, at),
      TE.map((isGranted): KeyState => ({ ...state, leasedUntil: isGranted ? until : undefined })),
      TE.flatMap((next) =>
        next.leasedUntil === undefined || isDone
          ? TE.right(next)
          : reconciled(settings, { ...ports, ...auditedByService(ports, holder) }, next, at),
      ),
    )
  }

/** Acquires or renews the lease and then makes the due changes; without the lease, it makes none. */
export const rotateKeys =
  (settings: KeySettings, ports: RotateKeysPorts, holder: string) =>
  (state: KeyState): Rotated =>
    pipe(ports.readStoreTime, TE.flatMap(rotated(settings, ports, holder, state)))
