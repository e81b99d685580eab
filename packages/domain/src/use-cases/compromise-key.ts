// A key that somebody else may have: out of the set now, and a successor in its place.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { notForgotten } from '../keys/closing.js'
import type { CompromisedKey, UnknownKid } from '../keys/compromise.js'
import { compromise } from '../keys/compromise.js'
import type { KeyRing } from '../keys/key-ring.js'
import { keysOf } from '../keys/key-ring.js'
import type { Fresh } from '../ports/fresh.js'
import type { KeyMaker, KeyRingChanged, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/pauses.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { storeKeyRings } from './steps/store-key-rings.js'

export type CompromiseKeyError = UnknownKid | UnreadableKeyRing | Unavailable

export type CompromiseKeyPorts = KeyRings & KeyMaker & Pauses & Pick<Fresh, 'now'>

const ringOf = (all: ReadonlyArray<KeyRing>, kid: string, at: EpochSeconds): E.Either<UnknownKid, KeyRing> => {
  const rings = notForgotten(all, at)
  const found = rings.find((ring) => keysOf(ring).some(({ key }) => key.kid === kid))
  return found === undefined
    ? E.left({ error: 'unknown_kid', known: rings.flatMap(keysOf).map(({ key }) => key.kid) })
    : E.right(found)
}

const compromised =
  (ports: CompromiseKeyPorts, kid: string) =>
  (ring: KeyRing): TE.TaskEither<UnknownKid | KeyRingChanged | Unavailable, CompromisedKey> =>
    pipe(
      ports.makeKey(ring.alg),
      TE.flatMapEither((fresh) => compromise(ports.now())(ring, kid, fresh)),
      TE.tap(({ ring: next }) => storeKeyRings(ports)([{ next, ring }])),
    )

/** Takes the key out, and answers with its ring and the phase that it was in. */
export const compromiseKey =
  (ports: CompromiseKeyPorts) =>
  (kid: string): TE.TaskEither<CompromiseKeyError, CompromisedKey> =>
    retryOnConflict(ports)(
      pipe(
        ports.readKeyRings,
        TE.flatMapEither((rings) => ringOf(rings, kid, ports.now())),
        TE.flatMap(compromised(ports, kid)),
      ),
    )
