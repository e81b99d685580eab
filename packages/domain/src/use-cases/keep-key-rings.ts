// What is due with the keys: rings that are missing, successors to announce, keys to promote, retire and forget.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { unavailable } from '../errors.js'
import type { Unavailable } from '../errors.js'
import { begunAnew, close, emptied, isForgotten, notForgotten, reopen } from '../keys/closing.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { KeySettings, RingName } from '../keys/key-settings.js'
import { ringNames } from '../keys/key-settings.js'
import type { FreshKey } from '../keys/roll-over.js'
import { advance, laterRing, needsSuccessor, newRing, rollOver } from '../keys/roll-over.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyMaker, KeyRingChanged, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/pauses.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import type { NextRing } from './steps/store-key-rings.js'
import { storeKeyRings } from './steps/store-key-rings.js'

export type KeepKeyRingsError = UnreadableKeyRing | Unavailable

export type KeepKeyRingsPorts = KeyRings & KeyMaker & Pauses & Pick<Fresh, 'now'>

const isOf =
  ({ alg, use }: RingName) =>
  (ring: KeyRing): boolean =>
    ring.alg === alg && ring.use === use

/** Whether the ring must have a new key before it is what it should be now. */
const needsKey = ({ policy }: KeySettings, at: EpochSeconds, ring: KeyRing | undefined): boolean =>
  ring === undefined || isForgotten(ring, at) || needsSuccessor(policy, at)(advance(policy, at)(reopen(ring)))

const begun =
  ({ policy }: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  ({ alg, use }: RingName, fresh: FreshKey, ring: KeyRing | undefined): KeyRing => {
    const make = rings.length === 0 ? newRing(policy, at) : laterRing(policy, at, rings)
    const anew = make(alg, use, fresh)
    return ring === undefined ? anew : begunAnew(ring, anew)
  }

/** The ring as it should be now; a fresh key is used where one is needed. */
const keptRing =
  (settings: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  (name: RingName, ring: KeyRing | undefined, fresh: FreshKey | undefined): KeyRing | undefined => {
    if (ring === undefined || isForgotten(ring, at))
      return fresh === undefined ? undefined : begun(settings, at, rings)(name, fresh, ring)
    const advanced = advance(settings.policy, at)(reopen(ring))
    if (fresh === undefined || !needsSuccessor(settings.policy, at)(advanced)) return advanced
    return pipe(
      rollOver(settings.policy, at)(advanced, fresh),
      E.getOrElse(() => advanced),
    )
  }

const keptOpen =
  (settings: KeySettings, ports: KeyMaker, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  (name: RingName): TE.TaskEither<Unavailable, NextRing> => {
    const ring = rings.find(isOf(name))
    const fresh: TE.TaskEither<Unavailable, FreshKey | undefined> = needsKey(settings, at, ring)
      ? ports.makeKey(name.alg)
      : TE.right(undefined)
    return pipe(
      fresh,
      TE.map((key) => keptRing(settings, at, rings)(name, ring, key)),
      TE.flatMap((next) => (next === undefined ? TE.left(unavailable('no key was made')) : TE.right({ next, ring }))),
    )
  }

const keptClosed =
  (at: EpochSeconds) =>
  (ring: KeyRing): NextRing => ({ next: isForgotten(ring, at) ? emptied(ring) : close(at)(ring), ring })

const keep =
  (settings: KeySettings, ports: KeepKeyRingsPorts) =>
  (rings: ReadonlyArray<KeyRing>): TE.TaskEither<KeyRingChanged | Unavailable, ReadonlyArray<KeyRing>> => {
    const [at, names] = [ports.now(), ringNames(settings)]
    const unused = rings.filter((ring) => !names.some((name) => isOf(name)(ring)))
    return pipe(
      names.map(keptOpen(settings, ports, at, rings)),
      TE.sequenceSeqArray,
      TE.map((open) => [...open, ...unused.map(keptClosed(at))]),
      TE.flatMap(storeKeyRings(ports)),
      TE.map((stored) => notForgotten(stored, at)),
    )
  }

/** Brings every ring to where it should be now, and answers with all that are published. */
export const keepKeyRings = (
  settings: KeySettings,
  ports: KeepKeyRingsPorts,
): TE.TaskEither<KeepKeyRingsError, ReadonlyArray<KeyRing>> =>
  retryOnConflict(ports)(pipe(ports.readKeyRings, TE.flatMap(keep(settings, ports))))
