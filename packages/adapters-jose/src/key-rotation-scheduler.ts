// The keys of a running instance: read from the store every few seconds and after each change, and rotated when that is due.
import {
  type ForOperator,
  type Fresh,
  type JwkSetSource,
  type KeyManagement,
  type KeySettings,
  type KeyState,
  type Leases,
  type ManageKeysPorts,
  type Turns,
  type Unavailable,
  type UnreadableKeyRing,
  keyRingsLease,
  manageKeys,
  readKeyState,
  rotateKeys,
} from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type HeldKeys, createHeldKeys } from './held-keys.js'
import type { KeySource } from './key-source.js'
import { every, onceASecond } from './timing.js'

/** In seconds: so soon an instance publishes, signs with and takes hints by what another one changed. */
export const reconcileInterval = 2

export type KeyRotationFailure = UnreadableKeyRing | Unavailable

export type KeyRotationPorts = ManageKeysPorts & Leases & Turns & Pick<Fresh, 'identifier'>

export type KeyRotationOptions = {
  readonly settings: KeySettings
  readonly ports: KeyRotationPorts
  readonly onChange?: (before: KeyState, after: KeyState) => void
  /** The keys could not be read or stored, which is tried again; the keys that were read before stay in use. */
  readonly onFailure?: (failure: KeyRotationFailure) => void
}

export type KeyRotationScheduler = KeySource &
  JwkSetSource & {
    /** What an operation changed is in use on this instance when its answer comes. */
    readonly keys: ForOperator<KeyManagement>
    /** Reads what changed, and does what is due where this instance holds the lease. */
    readonly reconcile: TE.TaskEither<KeyRotationFailure, void>
    /** Reconciles until there are keys, and from then on every few seconds. */
    readonly start: TE.TaskEither<KeyRotationFailure, void>
    /** Ends the schedule and gives up the lease, so that another instance follows at once. */
    readonly stop: T.Task<void>
  }

type Around = <Refused, Answer>(
  operation: TE.TaskEither<Refused, Answer>,
) => TE.TaskEither<Refused | Unavailable, Answer>

/** The same operations, of which each that changes the keys is done in that way. */
const changingBy = (around: Around, management: KeyManagement): KeyManagement => ({
  listKeys: management.listKeys,
  rollOver: (request) => around(management.rollOver(request)),
  revoke: (request) => around(management.revoke(request)),
  importKeys: (request) => around(management.importKeys(request)),
  importForeignKeys: (request) => around(management.importForeignKeys(request)),
  removeForeignKey: (kid) => around(management.removeForeignKey(kid)),
})

type Operations = Record<'read' | 'rotate' | 'release', TE.TaskEither<KeyRotationFailure, void>>

const operationsOf = ({ settings, ports }: KeyRotationOptions, { state, take }: HeldKeys): Operations => {
  let drawn: string | undefined
  // Some runtimes draw no random values before the first request.
  const holder = (): string => (drawn ??= ports.identifier())
  const taken = E.map(take)
  return {
    read: () => readKeyState(settings, ports)(state())().then(taken),
    rotate: () => rotateKeys(settings, ports, holder())(state())().then(taken),
    release: () => {
      take({ ...state(), leasedUntil: undefined })
      return ports.releaseLease(keyRingsLease, holder())()
    },
  }
}

// Where another instance makes the first keys at this moment, there are none for some seconds.
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

/** What one instance does with its keys is done one after the other, whether the schedule or an operator asks for it. */
export const createKeyRotationScheduler = (options: KeyRotationOptions): KeyRotationScheduler => {
  const { settings, ports, onChange = () => undefined, onFailure = () => undefined } = options
  const held = createHeldKeys(settings, ports, onChange)
  const { read, rotate, release } = operationsOf(options, held)
  const managed = manageKeys(settings, ports)
  const inTurn = ports.inTurn('keys')
  const reconcileNow = pipe(
    read,
    TE.flatMap(() => rotate),
    TE.tapError((failure) => TE.fromIO(() => onFailure(failure))),
  )
  const reconcile = inTurn(reconcileNow)
  const thenReconcile: Around = (operation) =>
    inTurn(
      pipe(
        operation,
        TE.tapTask(() => reconcileNow),
      ),
    )
  const schedule = every(reconcileInterval, reconcile)
  const { keyRings, foreignKeys, publishedJwkSet } = held
  return {
    keyRings,
    foreignKeys,
    publishedJwkSet,
    refreshKeys: onceASecond(ports.now, inTurn(read)),
    keys: (operator) => changingBy(thenReconcile, managed(operator)),
    reconcile,
    start: pipe(
      until(() => keyRings().length > 0 || schedule.isEnded(), reconcile, ports.pause(reconcileInterval * 1000)),
      TE.tapIO(() => schedule.begin),
    ),
    stop: () => {
      schedule.end()
      return inTurn(release)().then(() => undefined)
    },
  }
}
