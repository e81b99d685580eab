import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import { type ForeignKey, type NewForeignKey, type TooManyForeignKeys, addForeignKeys } from '../keys/foreign-key.js'
import type { KidKnown } from '../keys/roll-over.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'
import type { AuditKeys } from './steps/store-key-rings.js'

export type ImportForeignKeysError = KidKnown | TooManyForeignKeys | UnreadableKeyRing | Unavailable

export type ImportForeignKeysPorts = Pick<KeyRings, 'readStoreTime' | 'readKeyRings'> &
  Pick<ForeignKeys, 'readForeignKeys' | 'addForeignKeys'> &
  AuditKeys

/** Publishes the keys, all of them or none, and returns them as published. */
export const importForeignKeys =
  (ports: ImportForeignKeysPorts) =>
  (keys: ReadonlyArray<NewForeignKey>): TE.TaskEither<ImportForeignKeysError, ReadonlyArray<ForeignKey>> =>
    pipe(
      ports.readKeyRings,
      TE.bindTo('rings'),
      TE.bindW('present', () => ports.readForeignKeys),
      TE.bindW('at', () => ports.readStoreTime),
      TE.flatMap(({ rings, present, at }) =>
        pipe(
          TE.fromEither(addForeignKeys(rings, present, at)(keys)),
          TE.tap((added) =>
            ports.addForeignKeys(
              added,
              ports.auditKeys?.(
                at,
                added.map(({ kid }) => kid),
              ),
            ),
          ),
        ),
      ),
    )
