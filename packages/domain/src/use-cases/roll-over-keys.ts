// The operator's roll-over of one ring, or of all that are in use.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { GeneratedKey } from '../keys/new-ring.js'
import { type KidKnown, type RollOverUnderWay, rollOver } from '../keys/roll-over.js'
import { advance } from '../keys/advance.js'
import type { KeyMaker, KeyRingChanged, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type AuditKeys, type NextRing, type StoreKeyRingsPorts, storeKeyRings } from './steps/store-key-rings.js'

/** No ring has the algorithm; `known` names the rings in use. */
export type UnknownAlgorithm = {
  readonly error: 'unknown_algorithm'
  readonly known: ReadonlyArray<string>
  readonly encryption?: ReadonlyArray<string>
}

export type RollOverError = UnknownAlgorithm | RollOverUnderWay | KidKnown | UnreadableKeyRing | Unavailable

export type RollOverPorts = KeyRings & KeyMaker & Pauses & AuditKeys

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
  { policy }: KeySettings,
  at: EpochSeconds,
  alg: string | undefined,
  rings: ReadonlyArray<KeyRing>,
): ReadonlyArray<KeyRing> => {
  const free = rings.filter((ring) => advance(policy, at)(ring).announced === undefined)
  return alg === undefined && free.length > 0 ? free : rings
}

type Prepared = { readonly ring: KeyRing; readonly generated: GeneratedKey }

const prepared =
  (ports: KeyMaker) =>
  (ring: KeyRing): TE.TaskEither<Unavailable, Prepared> =>
    pipe(
      ports.makeKey(ring.alg),
      TE.map((generated) => ({ ring, generated })),
    )

const rolled =
  ({ policy }: KeySettings, at: EpochSeconds) =>
  ({ ring, generated }: Prepared): E.Either<RollOverUnderWay | KidKnown, NextRing> =>
    pipe(
      rollOver(policy, at)(advance(policy, at)(ring), generated),
      E.map((next) => ({ next, ring })),
    )

// Making keys takes time: the time of publication is read after all are made.
const rolledNow =
  (settings: KeySettings, ports: Pick<KeyRings, 'readStoreTime'> & StoreKeyRingsPorts) =>
  (
    all: ReadonlyArray<Prepared>,
  ): TE.TaskEither<RollOverUnderWay | KidKnown | KeyRingChanged | Unavailable, ReadonlyArray<KeyRing>> =>
    pipe(
      ports.readStoreTime,
      TE.flatMap((at) =>
        pipe(all, E.traverseArray(rolled(settings, at)), TE.fromEither, TE.flatMap(storeKeyRings(ports, at))),
      ),
    )

/** Announces a successor in each of the rings, and returns these rings as stored then. */
export const rollOverKeys =
  (settings: KeySettings, ports: RollOverPorts) =>
  (alg: string | undefined): TE.TaskEither<RollOverError, ReadonlyArray<KeyRing>> =>
    retryOnConflict(ports)(
      pipe(
        ports.readKeyRings,
        TE.flatMapEither((rings) => ringsToRoll(rings, alg)),
        TE.bindTo('rings'),
        TE.bindW('at', () => ports.readStoreTime),
        TE.map(({ rings, at }) => notUnderWay(settings, at, alg, rings)),
        TE.flatMap((rings) => TE.sequenceSeqArray(rings.map(prepared(ports)))),
        TE.flatMap(rolledNow(settings, ports)),
      ),
    )
