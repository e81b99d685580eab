import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { ForeignKey } from '../keys/foreign-key.js'
import type { UnknownKid } from '../keys/revoke.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { KeyRings } from '../ports/key-rings.js'
import type { AuditKeys } from './steps/store-key-rings.js'

export type RemoveForeignKeyPorts = Pick<ForeignKeys, 'readForeignKeys' | 'removeForeignKey'> &
  Pick<KeyRings, 'readStoreTime'> &
  AuditKeys

/** Removes a key of another signer from the set, and returns the remaining ones. */
export const removeForeignKey =
  (ports: RemoveForeignKeyPorts) =>
  (kid: string): TE.TaskEither<UnknownKid | Unavailable, ReadonlyArray<ForeignKey>> =>
    pipe(
      ports.readStoreTime,
      TE.flatMap((at) => ports.removeForeignKey(kid, ports.auditKeys?.(at, [kid]))),
      TE.bindTo('removed'),
      TE.bindW('left', () => ports.readForeignKeys),
      TE.flatMap(({ removed, left }) =>
        removed ? TE.right(left) : TE.left<UnknownKid>({ error: 'unknown_kid', known: left.map((key) => key.kid) }),
      ),
    )
