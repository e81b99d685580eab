import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { type ImportedKeys, importKeys as importInto } from '../keys/import-keys.js'
import { type KeyRing, knownKids } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { KidKnown } from '../keys/roll-over.js'
import { advance } from '../keys/advance.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { type UnknownAlgorithm, ringsToRoll } from './roll-over-keys.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type AuditKeys, type NextRing, storeKeyRings } from './steps/store-key-rings.js'

export type ImportKeysError = UnknownAlgorithm | KidKnown | UnreadableKeyRing | Unavailable

// A kid is unique over all rings, because verifiers look up keys by kid alone.
const repeatedKid = (rings: ReadonlyArray<KeyRing>, imported: ReadonlyArray<ImportedKeys>): KidKnown | undefined => {
  const known = rings.flatMap(knownKids)
  const kids = imported.flatMap(({ keys }) => keys.map(({ kid }) => kid))
  const kid = kids.find((each, index) => known.includes(each) || kids.indexOf(each) < index)
  return kid === undefined ? undefined : { error: 'kid_known', kid }
}

const byAlgorithm = (imported: ReadonlyArray<ImportedKeys>): ReadonlyArray<ImportedKeys> =>
  [...new Set(imported.map(({ alg }) => alg))].map((alg) => ({
    alg,
    keys: imported.flatMap((each) => (each.alg === alg ? each.keys : [])),
  }))

const into =
  ({ policy }: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  (imported: ImportedKeys): E.Either<UnknownAlgorithm | KidKnown, ReadonlyArray<NextRing>> =>
    pipe(
      ringsToRoll(rings, imported.alg),
      E.flatMap(
        E.traverseArray((ring) =>
          pipe(
            importInto(policy, at)(advance(policy, at)(ring), imported.keys),
            E.map((next): NextRing => ({ next, ring })),
          ),
        ),
      ),
    )

const intoAll =
  (settings: KeySettings, at: EpochSeconds, imported: ReadonlyArray<ImportedKeys>) =>
  (rings: ReadonlyArray<KeyRing>): E.Either<UnknownAlgorithm | KidKnown, ReadonlyArray<NextRing>> => {
    const known = repeatedKid(rings, imported)
    return known === undefined
      ? pipe(
          byAlgorithm(imported),
          E.traverseArray(into(settings, at, rings)),
          E.map((next) => next.flat()),
        )
      : E.left(known)
  }

/** Adds keys of another server to the rings of their algorithms: all of them or none. */
export const importKeys =
  (settings: KeySettings, ports: KeyRings & Pauses & AuditKeys) =>
  (imported: ReadonlyArray<ImportedKeys>): TE.TaskEither<ImportKeysError, ReadonlyArray<KeyRing>> =>
    retryOnConflict(ports)(
      pipe(
        ports.readKeyRings,
        TE.bindTo('rings'),
        TE.bindW('at', () => ports.readStoreTime),
        TE.flatMap(({ rings, at }) =>
          pipe(TE.fromEither(intoAll(settings, at, imported)(rings)), TE.flatMap(storeKeyRings(ports, at))),
        ),
      ),
    )
