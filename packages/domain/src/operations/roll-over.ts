// The changes of keys that are due, and the published set.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type AuditRow, serviceActor } from '../audit/entries.js'
import type { Unavailable } from '../kernel/refusals.js'
import { type EpochSeconds, secondsAfter } from '../kernel/time.js'
import type { ForeignKey } from '../keys/by-operator.js'
import { type KeyState, hasVersions, maxAgeOf, publishedKeys, withForeignKeys, withRings } from '../keys/published.js'
import type { KeyPolicy, KeyRing, KeySettings, LastRead } from '../keys/ring.js'
import {
  type GeneratedKey,
  type KidKnown,
  type RingPlan,
  type RollOverUnderWay,
  advance,
  areReconciled,
  changedKids,
  planRings,
  rollOver,
} from '../keys/roll-over.js'
import type { Answer, KeyMaker, Pauses, PublishedJwkSet } from '../ports/outside.js'
import type { ForeignKeys, KeyRingChange, KeyRingChanged, KeyRings, Leases, UnreadableKeyRing } from '../ports/store.js'
import { type AuditPorts, audited } from './audit.js'
import { retryOnConflict } from './conflicts.js'

/** A ring to store, and the ring that was read, if there was one. */
export type NextRing = { readonly next: KeyRing; readonly ring: KeyRing | undefined }

const numbered = ({ next, ring }: NextRing): KeyRing =>
  next === ring ? ring : { ...next, version: (ring?.version ?? 0) + 1 }

const changeOf = ({ next, ring }: NextRing): ReadonlyArray<KeyRingChange> =>
  next === ring ? [] : [{ next: numbered({ next, ring }), replacing: O.fromNullable(ring) }]

/** The row of a change of these keys; none where there is no audit log (`unauditedKeys`). */
export type AuditKeys = { readonly auditKeys: (at: EpochSeconds, kids: ReadonlyArray<string>) => AuditRow | undefined }

export const unauditedKeys: AuditKeys = { auditKeys: () => undefined }

/** The stored rings, and the time of the store once they were read. */
export const readRings = ({
  readKeyRings,
  readStoreTime,
}: KeyRings): Answer<{ readonly rings: ReadonlyArray<KeyRing>; readonly at: EpochSeconds }, UnreadableKeyRing> =>
  pipe(
    readKeyRings,
    TE.bindTo('rings'),
    TE.bindW('at', () => readStoreTime),
  )

/** Replaces the rings that were changed by a decision at the time, and returns all; unchanged rings are not written. */
export const storeKeyRings =
  ({ replaceKeyRings, auditKeys }: KeyRings & AuditKeys, decidedAt: EpochSeconds) =>
  (rings: ReadonlyArray<NextRing>): Answer<ReadonlyArray<KeyRing>, KeyRingChanged> => {
    const changes = rings.flatMap(changeOf)
    const stored = rings.map(numbered)
    if (changes.length === 0) return TE.right(stored)
    const kids = changes.flatMap(({ next, replacing }) => changedKids(O.toUndefined(replacing), next))
    return pipe(
      replaceKeyRings(changes, decidedAt, auditKeys(decidedAt, kids)),
      TE.map(() => stored),
    )
  }

// Reconciles the key rings with the settings: adds missing rings, announces successors, promotes, retires and forgets
// keys.

export type ReconcileKeyRingsPorts = KeyRings & KeyMaker & Pauses & AuditKeys

// A ring that needs a key only since the keys were made gets one the next time.
const nextRing = (plan: RingPlan, generated: GeneratedKey | undefined): ReadonlyArray<NextRing> => {
  if ('next' in plan) return [plan]
  if (generated !== undefined) return [{ ring: plan.ring, next: plan.nextWith(generated) }]
  return plan.ring === undefined ? [] : [{ ring: plan.ring, next: plan.ring }]
}

/**
 * Makes all due changes by these settings, and returns all rings as stored then. Two instances with different settings
 * would undo each other's changes: `rotateKeys` calls it only while this instance has the lease.
 */
export const reconcileKeyRings = (
  settings: KeySettings,
  ports: ReconcileKeyRingsPorts,
): Answer<ReadonlyArray<KeyRing>, UnreadableKeyRing> =>
  retryOnConflict(ports)(
    async (): Promise<E.Either<UnreadableKeyRing | KeyRingChanged | Unavailable, ReadonlyArray<KeyRing>>> => {
      const read = await readRings(ports)()
      if (E.isLeft(read)) return read
      const planned = (at: EpochSeconds): ReadonlyArray<RingPlan> => planRings(settings, at)(read.right.rings)
      const keys = await TE.traverseSeqArray((plan: RingPlan): Answer<GeneratedKey | undefined> =>
        'next' in plan ? TE.right(undefined) : ports.makeKey(plan.alg),
      )(planned(read.right.at))()
      if (E.isLeft(keys)) return keys
      // Making keys takes time: the changes are planned again, by the time at which they are stored.
      const at = await ports.readStoreTime()
      if (E.isLeft(at)) return at
      const next = planned(at.right).flatMap((plan, index) => nextRing(plan, keys.right[index]))
      return storeKeyRings(ports, at.right)(next)()
    },
  )

// The operator's roll-over of one ring, or of all that are in use.

/** No ring has the algorithm; `known` names the rings in use. */
export type UnknownAlgorithm = {
  readonly error: 'unknown_algorithm'
  readonly known: ReadonlyArray<string>
  readonly encryption?: ReadonlyArray<string>
}

/** The named ring, or all rings in use. */
export const ringsToRoll = (
  rings: ReadonlyArray<KeyRing>,
  alg: string | undefined,
): E.Either<UnknownAlgorithm, ReadonlyArray<KeyRing>> => {
  const open = rings.filter(({ closedAt }) => closedAt === undefined)
  const meant = open.filter((ring) => alg === undefined || ring.alg === alg)
  const algorithmsOf = (use: KeyRing['use']): ReadonlyArray<string> =>
    open.filter((ring) => ring.use === use).map((ring) => ring.alg)
  return meant.length > 0
    ? E.right(meant)
    : E.left({ error: 'unknown_algorithm', known: algorithmsOf('sig'), encryption: algorithmsOf('enc') })
}

// A roll-over of all rings skips those with an announced successor.
const notUnderWay = (
  policy: KeyPolicy,
  at: EpochSeconds,
  alg: string | undefined,
  rings: ReadonlyArray<KeyRing>,
): ReadonlyArray<KeyRing> => {
  const free = rings.filter((ring) => advance(policy, at)(ring).announced === undefined)
  return alg === undefined && free.length > 0 ? free : rings
}

type RollOverFailure = UnknownAlgorithm | RollOverUnderWay | KidKnown | UnreadableKeyRing | KeyRingChanged | Unavailable

/** Announces a successor in each of the rings, and returns these rings as stored then. */
export const rollOverKeys =
  ({ policy }: KeySettings, ports: KeyRings & KeyMaker & Pauses & AuditKeys) =>
  (alg: string | undefined): Answer<ReadonlyArray<KeyRing>, Exclude<RollOverFailure, KeyRingChanged>> =>
    retryOnConflict(ports)(async (): Promise<E.Either<RollOverFailure, ReadonlyArray<KeyRing>>> => {
      const read = await readRings(ports)()
      if (E.isLeft(read)) return read
      const meant = ringsToRoll(read.right.rings, alg)
      if (E.isLeft(meant)) return meant
      const rings = notUnderWay(policy, read.right.at, alg, meant.right)
      const prepared = await TE.traverseSeqArray((ring: KeyRing) =>
        pipe(
          ports.makeKey(ring.alg),
          TE.map((generated) => ({ ring, generated })),
        ),
      )(rings)()
      if (E.isLeft(prepared)) return prepared
      // Making keys takes time: the time of publication is read after all are made.
      const now = await ports.readStoreTime()
      if (E.isLeft(now)) return now
      const at = now.right
      const rolled = E.traverseArray(({ ring, generated }: (typeof prepared.right)[number]) =>
        pipe(
          rollOver(policy, at)(advance(policy, at)(ring), generated),
          E.map((next): NextRing => ({ next, ring })),
        ),
      )(prepared.right)
      return E.isLeft(rolled) ? rolled : storeKeyRings(ports, at)(rolled.right)()
    })

// One instance at a time, the holder of the lease, reconciles the key rings with its settings; the others only read.
// Thus instances with different settings do not undo each other's changes, and no key is made in vain.

/** The name of the lease. */
export const keyRingsLease = 'key-rings'

/** In seconds: the maximum delay before another instance follows one that ended without releasing the lease. */
export const keyRingsLeaseLength = 30

type RotateKeysPorts = Omit<ReconcileKeyRingsPorts, 'auditKeys'> & Leases & AuditPorts

// A lease is renewed after half of its length. After a clock was set back, more than its length remains.
const isLeased = ({ leasedUntil }: KeyState, at: EpochSeconds): boolean => {
  const left = leasedUntil === undefined ? 0 : leasedUntil - at
  return left > keyRingsLeaseLength / 2 && left <= keyRingsLeaseLength
}

type Rotated = Answer<KeyState, UnreadableKeyRing>

// The instance is what made the change.
const auditedByService = (ports: AuditPorts, holder: string): AuditKeys => ({
  auditKeys: (at, kids) =>
    audited(
      ports,
      { origin: { door: 'service', request_id: holder } },
      { at, action: 'keys_rotated', actor: serviceActor, kids },
    ),
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

/**
 * The keys as stored now by any instance; the rings are read only if a version has changed. The time is read first: what
 * is stored until then is in the state.
 */
export const readKeyState =
  (settings: KeySettings, ports: KeyRings & ForeignKeys) =>
  (before: KeyState): Answer<KeyState, UnreadableKeyRing> =>
    pipe(
      ports.readStoreTime,
      TE.bindTo('readAt'),
      TE.bind('versions', () => ports.readKeyRingVersions),
      TE.bindW('rings', ({ versions }) =>
        hasVersions(before.rings, versions) ? TE.right(before.rings) : ports.readKeyRings,
      ),
      TE.bindW('foreign', () => ports.readForeignKeys),
      TE.map(({ readAt, rings, foreign }) => ({
        ...withForeignKeys(withRings(settings, readAt)(before, rings), foreign),
        readAt,
      })),
    )

// The published set of the key rings and the keys of other signers, memoized until they change.

export const publishJwkSet =
  (policy: KeyPolicy) =>
  (
    rings: ReadonlyArray<KeyRing>,
    foreign: ReadonlyArray<ForeignKey>,
  ): ((read: LastRead) => E.Either<Unavailable, PublishedJwkSet>) => {
    const jwkSet = publishedKeys(rings, foreign)
    const maxAgeAt = maxAgeOf(policy, rings)
    return (read) =>
      pipe(
        maxAgeAt(read),
        E.map((maxAge) => ({ jwkSet, maxAge })),
      )
  }
