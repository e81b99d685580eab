import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import { type ForeignKey, type NewForeignKey, type TooManyForeignKeys, addForeignKeys } from '../keys/foreign-key.js'
import type { KidKnown } from '../keys/roll-over.js'
import type { ForeignKeys } from '../ports/foreign-keys.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { KeyRings, UnreadableKeyRing } from '../ports/key-rings.js'

export type ImportForeignKeysError = KidKnown | TooManyForeignKeys | UnreadableKeyRing | Unavailable

export type ImportForeignKeysPorts = Pick<KeyRings, 'readKeyRings'> &
  Pick<ForeignKeys, 'readForeignKeys' | 'addForeignKeys'> &
  Pick<CredentialGenerator, 'now'>

/** Publishes the keys, all of them or none, and returns them as published. */
export const importForeignKeys =
  (ports: ImportForeignKeysPorts) =>
  (keys: ReadonlyArray<NewForeignKey>): TE.TaskEither<ImportForeignKeysError, ReadonlyArray<ForeignKey>> =>
    pipe(
      ports.readKeyRings,
      TE.bindTo('rings'),
      TE.bindW('present', () => ports.readForeignKeys),
      TE.flatMapEither(({ rings, present }) => addForeignKeys(rings, present, ports.now())(keys)),
      TE.tap(ports.addForeignKeys),
    )
