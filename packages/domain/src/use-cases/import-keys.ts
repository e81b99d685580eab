import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { importKeys as importInto } from '../keys/import-keys.js'
import type { KeyRing } from '../keys/key-ring.js'
import { knownKids } from '../keys/key-ring.js'
import type { KeySettings } from '../keys/key-settings.js'
import type { FreshKey, KidKnown } from '../keys/roll-over.js'
import { advance } from '../keys/roll-over.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { UnknownAlgorithm } from './roll-over-keys.js'
import { ringsToRoll } from './roll-over-keys.js'
import { againWhenChanged } from './steps/again-when-changed.js'
import type { NextRing } from './steps/store-key-rings.js'
import { storeKeyRings } from './steps/store-key-rings.js'

export type ImportKeysError = UnknownAlgorithm | KidKnown | UnreadableKeyRing | Unavailable

/** Keys of one algorithm: the first of them signs. */
export type ImportedKeys = { readonly alg: string; readonly keys: ReadonlyArray<FreshKey> }

const knownElsewhere = (rings: ReadonlyArray<KeyRing>, { keys }: ImportedKeys): KidKnown | undefined => {
  const known = rings.flatMap(knownKids)
  const found = keys.find(({ kid }) => known.includes(kid))
  return found === undefined ? undefined : { error: 'kid_known', kid: found.kid }
}

const into =
  ({ policy }: KeySettings, at: EpochSeconds, rings: ReadonlyArray<KeyRing>) =>
  (imported: ImportedKeys): E.Either<UnknownAlgorithm | KidKnown, ReadonlyArray<NextRing>> => {
    const known = knownElsewhere(rings, imported)
    return known === undefined
      ? pipe(
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
      : E.left(known)
  }

/** Puts the keys of another server into the rings of their algorithms: all of them, or none. */
export const importKeys =
  (settings: KeySettings, ports: KeyRings & Pick<Fresh, 'now'>) =>
  (imported: ReadonlyArray<ImportedKeys>): TE.TaskEither<ImportKeysError, ReadonlyArray<KeyRing>> =>
    againWhenChanged(
      pipe(
        ports.readKeyRings,
        TE.flatMapEither((rings) => E.traverseArray(into(settings, ports.now(), rings))(imported)),
        TE.flatMap((next) => storeKeyRings(ports)(next.flat())),
      ),
    )
