// The keys of a running instance: read from the store every few seconds and after each change, and rotated when that is
// due.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import { type KeySettings, type KeyState, type LastRead, unreadKeys } from '@clientele/domain/keys'
import {
  type ByRequest,
  type KeyManagement,
  type ManageKeysPorts,
  keyRingsLease,
  manageKeys,
  publishJwkSet,
  readKeyState,
  rotateKeys,
} from '@clientele/domain/operations'
import type { CredentialGenerator, JwkSetSource, Leases, Turns, UnreadableKeyRing } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { KeySource } from './ring-keys.js'

/**
 * Starts to measure, and returns the whole seconds since then, rounded up. A clock that is set back does not shorten
 * them, nor does a host that was suspended, whose monotonic clock stands still meanwhile.
 */
const stopwatch = (now: () => EpochSeconds): (() => number) => {
  const startedAt = now()
  const started = performance.now()
  return () => Math.max(Math.ceil((performance.now() - started) / 1000), now() - startedAt)
}

/** Runs at most once a second; all callers during a run wait for that run. */
const onceASecond = (now: () => EpochSeconds, run: T.Task<unknown>): T.Task<void> => {
  let ranAt: EpochSeconds | undefined
  let running: Promise<unknown> | undefined
  return async () => {
    if (running === undefined && ranAt === now()) return
    ranAt = now()
    running ??= run().finally(() => {
      running = undefined
    })
    await running
  }
}

type Schedule = {
  readonly begin: () => void
  readonly end: () => void
  readonly isEnded: () => boolean
}

/** Runs again so many seconds after each run. */
const every = (seconds: number, run: T.Task<unknown>): Schedule => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  const begin = (): void => {
    if (isEnded) return
    timer = setTimeout(() => void run().then(begin), seconds * 1000)
    // In Node, the timer must not keep the process alive; elsewhere a timer is a number.
    if (typeof timer === 'object') timer.unref()
  }
  const end = (): void => {
    isEnded = true
    clearTimeout(timer)
  }
  return { begin, end, isEnded: () => isEnded }
}

type InstanceKeys = Pick<KeySource, 'keyRings' | 'foreignKeys' | 'lastRead'> &
  JwkSetSource & {
    readonly state: () => KeyState
    /** Takes the state after a change by this instance. */
    readonly take: (next: KeyState) => void
    /** Takes the state as read from the store so many seconds ago. */
    readonly takeRead: (next: KeyState, age: () => number) => void
  }

/** The keys as this instance last read them; the set is rendered again only after a change. */
const createInstanceKeys = (
  { policy }: KeySettings,
  now: () => EpochSeconds,
  onChange: (before: KeyState, after: KeyState) => void,
): InstanceKeys => {
  const publish = publishJwkSet(policy)
  let state = unreadKeys
  let age = (): number => Infinity
  let publishedJwkSet = publish([], [])
  const lastRead = (): LastRead => ({ at: state.readAt, age: age() })
  const take = (next: KeyState): void => {
    const before = state
    state = next
    if (next.published !== before.published || next.foreign !== before.foreign)
      publishedJwkSet = publish(next.published, next.foreign)
    onChange(before, next)
  }
  return {
    keyRings: () => state.published,
    foreignKeys: () => state.foreign,
    lastRead,
    publishedJwkSet: () => publishedJwkSet(lastRead()),
    state: () => state,
    take,
    takeRead: (next, readAge) => {
      age = readAge
      take(next)
    },
  }
}

/** In seconds: the maximum delay until an instance uses keys that another one changed. */
export const reconcileInterval = 2

export type KeyRotationFailure = UnreadableKeyRing | Unavailable

export type KeyRotationPorts = ManageKeysPorts & Leases & Turns & Pick<CredentialGenerator, 'now' | 'identifier'>

export type KeyRotationOptions = {
  readonly settings: KeySettings
  readonly ports: KeyRotationPorts
  readonly onChange?: (before: KeyState, after: KeyState) => void
  /**
   * Called when the keys could not be read or stored. The scheduler tries again; the keys that were read before stay in
   * use as long as no other instance can have replaced them.
   */
  readonly onFailure?: (failure: KeyRotationFailure) => void
}

export type KeyRotationScheduler = KeySource &
  JwkSetSource & {
    /** Key management: when an operation answers, this instance uses the changed keys. */
    readonly keys: ByRequest<'keys', KeyManagement>
    /** Reads changed keys, and makes due changes while this instance has the lease. */
    readonly reconcile: TE.TaskEither<KeyRotationFailure, void>
    /** Reconciles until there are keys, and from then on every few seconds. */
    readonly start: TE.TaskEither<KeyRotationFailure, void>
    /** Ends the schedule and releases the lease, so that another instance takes it at once. */
    readonly stop: T.Task<void>
  }

type Around = <Refused, Answer>(
  operation: TE.TaskEither<Refused, Answer>,
) => TE.TaskEither<Refused | Unavailable, Answer>

/** The same operations; each that changes keys runs through `around`. */
const changingBy = (around: Around, management: KeyManagement): KeyManagement => ({
  listKeys: management.listKeys,
  rollOver: (request) => around(management.rollOver(request)),
  revoke: (request) => around(management.revoke(request)),
  importKeys: (request) => around(management.importKeys(request)),
  importForeignKeys: (request) => around(management.importForeignKeys(request)),
  removeForeignKey: (kid) => around(management.removeForeignKey(kid)),
})

type Operations = Record<'read' | 'rotate' | 'release', TE.TaskEither<KeyRotationFailure, void>>

const operationsOf = ({ settings, ports }: KeyRotationOptions, { state, take, takeRead }: InstanceKeys): Operations => {
  let drawn: string | undefined
  // Drawn late, because some runtimes provide no random values before the first request.
  const holder = (): string => (drawn ??= ports.identifier())
  return {
    read: () => {
      const age = stopwatch(ports.now)
      return readKeyState(settings, ports)(state())().then(E.map((next) => takeRead(next, age)))
    },
    rotate: () => rotateKeys(settings, ports, holder())(state())().then(E.map(take)),
    release: () => {
      take({ ...state(), leasedUntil: undefined })
      return ports.releaseLease(keyRingsLease, holder())()
    },
  }
}

// There are no keys for some seconds while another instance makes the first ones.
const until = (
  holds: () => boolean,
  reconcile: KeyRotationScheduler['reconcile'],
  wait: T.Task<void>,
): KeyRotationScheduler['reconcile'] =>
  pipe(
    reconcile,
    TE.flatMap(() =>
      holds()
        ? TE.right(undefined)
        : pipe(
            TE.fromTask(wait),
            TE.flatMap(() => until(holds, reconcile, wait)),
          ),
    ),
  )

/** Key operations of one instance run one after the other, for the schedule and for the operator. */
export const createKeyRotationScheduler = (options: KeyRotationOptions): KeyRotationScheduler => {
  const { settings, ports, onChange = () => undefined, onFailure = () => undefined } = options
  const instanceKeys = createInstanceKeys(settings, ports.now, onChange)
  const { read, rotate, release } = operationsOf(options, instanceKeys)
  const managed = manageKeys(settings, ports)
  const serialize = ports.serialize('keys')
  const reconcileNow = pipe(
    read,
    TE.flatMap(() => rotate),
    TE.tapError((failure) => TE.fromIO(() => onFailure(failure))),
  )
  const reconcile = serialize(reconcileNow)
  const thenReconcile: Around = (operation) =>
    serialize(
      pipe(
        operation,
        TE.tapTask(() => reconcileNow),
      ),
    )
  const schedule = every(reconcileInterval, reconcile)
  const { keyRings, foreignKeys, lastRead, publishedJwkSet } = instanceKeys
  return {
    keyRings,
    foreignKeys,
    lastRead,
    publishedJwkSet,
    refreshKeys: onceASecond(ports.now, serialize(read)),
    keys: (operator, request) => changingBy(thenReconcile, managed(operator, request)),
    reconcile,
    start: pipe(
      until(() => keyRings().length > 0 || schedule.isEnded(), reconcile, ports.pause(reconcileInterval * 1000)),
      TE.tapIO(() => schedule.begin),
    ),
    stop: () => {
      schedule.end()
      return serialize(release)().then(() => undefined)
    },
  }
}
