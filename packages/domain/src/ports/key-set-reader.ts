// Key sets that the operator imports: RFC 7517 §5. A refusal reports all faults of the set, and nothing of its private
// halves.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { NewForeignKey } from '../keys/foreign-key.js'
import type { ImportedKeys } from '../keys/import-keys.js'
import type * as E from 'fp-ts/lib/Either.js'
import type * as IO from 'fp-ts/lib/IO.js'
import type { JwkSet } from '../keys/public-jwk.js'

type Faults = ReadonlyArray<string>

export type KeySetReader = {
  /** Keys of another server with their private halves, by algorithm: the first of each signs. */
  readonly readPrivateJwkSet: (keySet: unknown) => TE.TaskEither<Faults, ReadonlyArray<ImportedKeys>>
  /** Public keys of another signer. */
  readonly readPublicJwkSet: (keySet: unknown) => TE.TaskEither<Faults, ReadonlyArray<NewForeignKey>>
}

// The published keys: public halves only, including those of other signers.
export type PublishedJwkSet = {
  /** RFC 7517 §5: the same object until the keys change. */
  readonly jwkSet: JwkSet
  /** RFC 9111 §5.2.2.1: the seconds from now for which a verifier may cache it. */
  readonly maxAge: number
}

export type JwkSetSource = {
  /** Unavailable where the stored rings were not read for so long that the set may lack a key that signs. */
  readonly publishedJwkSet: IO.IO<E.Either<Unavailable, PublishedJwkSet>>
}
