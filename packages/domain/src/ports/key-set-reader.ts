// Key sets that the operator imports: RFC 7517 §5. A refusal reports all faults of the set, and nothing of its private
// halves.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { NewForeignKey } from '../keys/foreign-key.js'
import type { ImportedKeys } from '../keys/import-keys.js'

type Faults = ReadonlyArray<string>

export type KeySetReader = {
  /** Keys of another server with their private halves, by algorithm: the first of each signs. */
  readonly readPrivateJwkSet: (keySet: unknown) => TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>>
  /** Public keys of another signer. */
  readonly readPublicJwkSet: (keySet: unknown) => TE.TaskEither<Faults, ReadonlyArray<NewForeignKey>>
}
