// Revokes a compromised key: it leaves the set now, and a successor signs in its place.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { notForgotten } from '../keys/retire-ring.js'
import { type RevokedKey, type UnknownKid, revoke } from '../keys/revoke.js'
import { type KeyRing, keysOf } from '../keys/key-ring.js'
import type { KeyMaker, KeyRingChanged, KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { Pauses } from '../ports/turns.js'
import { retryOnConflict } from './steps/retry-on-conflict.js'
import { type AuditKeys, storeKeyRings } from './steps/store-key-rings.js'

export type RevokeKeyError = UnknownKid | UnreadableKeyRing | Unavailable

export type RevokeKeyPorts = KeyRings & KeyMaker & Pauses & AuditKeys

const ringOf = (all: ReadonlyArray<KeyRing>, kid: string, at: EpochSeconds): E.Either<UnknownKid, KeyRing> => {
  const rings = notForgotten(all, at)
  const found = rings.find((ring) => keysOf(ring).some(({ key }) => key.kid === kid))
  return found === undefined
    ? E.left({ error: 'unknown_kid', known: rings.flatMap(keysOf).map(({ key }) => key.kid) })
    : E.right(found)
}

const revoked =
  (ports: RevokeKeyPorts, kid: string) =>
  (ring: KeyRing): TE.TaskEither<UnknownKid | KeyRingChanged | Unavailable, RevokedKey> =>
    pipe(
      ports.makeKey(ring.alg),
      TE.bindTo('generated'),
      TE.bind('at', () => ports.readStoreTime),
      TE.flatMap(({ generated, at }) =>
        pipe(
          TE.fromEither(revoke(at)(ring, kid, generated)),
          TE.tap(({ ring: next }) => storeKeyRings(ports, at)([{ next, ring }])),
        ),
      ),
    )

/** Removes the key, and returns its ring and the phase that it was in. */
export const revokeKey =
  (ports: RevokeKeyPorts) =>
  (kid: string): TE.TaskEither<RevokeKeyError, RevokedKey> =>
    retryOnConflict(ports)(
      pipe(
        ports.readKeyRings,
        TE.bindTo('rings'),
        TE.bindW('at', () => ports.readStoreTime),
        TE.flatMapEither(({ rings, at }) => ringOf(rings, kid, at)),
        TE.flatMap(revoked(ports, kid)),
      ),
    )
