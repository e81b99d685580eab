// The operator's roll-over: every ring that signs, or one of them.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { FreshKey } from '../keys/new-ring.js'
import { type KidKnown, type RollOverUnderWay, rollOver } from '../keys/roll-over.js'
import { advance } from '../keys/advance.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyMaker, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/pauses.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type NextRing, storeKeyRings } from './steps/store-key-rings.js'

/** No ring has the algorithm; these are those that sign, and those to encrypt to. */
export type UnknownAlgorithm = {
  readonly error: 'unknown_algorithm'
  readonly known: ReadonlyArray<string>
  readonly encryption?: ReadonlyArray<string>
}

export type RollOverError = UnknownAlgorithm | RollOverUnderWay | KidKnown | UnreadableKeyRing | Unavailable

export type RollOverPorts = KeyRings & KeyMaker & Pauses & Pick<Fresh, 'now'>

/** The rings that are meant: the named one, or all that are in use. */
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

// Who asks for all of them means those that are not under way already.
const notUnderWay = (
  { policy }: KeySettings,
  at: EpochSeconds,
  alg: string | undefined,
  rings: ReadonlyArray<KeyRing>,
): ReadonlyArray<KeyRing> => {
  const free = rings.filter((ring) => advance(policy, at)(ring).announced === undefined)
  return alg === undefined && free.length > 0 ? free : rings
}

type Prepared = { readonly ring: KeyRing; readonly fresh: FreshKey }

const prepared =
  (ports: KeyMaker) =>
  (ring: KeyRing): TE.TaskEither<Unavailable, Prepared> =>
    pipe(
      ports.makeKey(ring.alg),
      TE.map((fresh) => ({ ring, fresh })),
    )

const rolled =
  ({ policy }: KeySettings, at: EpochSeconds) =>
  ({ ring, fresh }: Prepared): E.Either<RollOverUnderWay | KidKnown, NextRing> =>
    pipe(
      rollOver(policy, at)(advance(policy, at)(ring), fresh),
      E.map((next) => ({ next, ring })),
    )

// Because making keys takes its time, they are published as of when all are made, and not as of when that began.
const rolledNow =
  (settings: KeySettings, ports: Pick<Fresh, 'now'>) =>
  (all: ReadonlyArray<Prepared>): E.Either<RollOverUnderWay | KidKnown, ReadonlyArray<NextRing>> =>
    E.traverseArray(rolled(settings, ports.now()))(all)

/** Announces a successor in each of the rings, and answers with those rings as they are then. */
export const rollOverKeys =
  (settings: KeySettings, ports: RollOverPorts) =>
  (alg: string | undefined): TE.TaskEither<RollOverError, ReadonlyArray<KeyRing>> =>
    retryOnConflict(ports)(
      pipe(
        ports.readKeyRings,
        TE.flatMapEither((rings) => ringsToRoll(rings, alg)),
        TE.map((rings) => notUnderWay(settings, ports.now(), alg, rings)),
        TE.flatMap((rings) => TE.sequenceSeqArray(rings.map(prepared(ports)))),
        TE.flatMapEither(rolledNow(settings, ports)),
        TE.flatMap(storeKeyRings(ports)),
      ),
    )
