// The published set of the key rings and the keys of other signers, memoized until they change.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Unavailable } from '../errors.js'
import type { ForeignKey } from '../keys/foreign-key.js'
import { maxAgeOf, publishedKeys } from '../keys/published-keys.js'
import type { KeyPolicy } from '../keys/key-settings.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { LastRead } from '../keys/last-read.js'
import type { PublishedJwkSet } from '../ports/key-set-reader.js'

export const publishJwkSet =
  (policy: KeyPolicy) =>
  (
    rings: ReadonlyArray<KeyRing>,
    foreign: ReadonlyArray<ForeignKey>,
  ): ((read: LastRead) => E.Either<Unavailable, PublishedJwkSet>) => {
    const jwkSet = publishedKeys(rings, foreign)
    const maxAgeAt = maxAgeOf(policy, rings)
    return (read) =>
      pipe(
        maxAgeAt(read),
        E.map((maxAge) => ({ jwkSet, maxAge })),
      )
  }
