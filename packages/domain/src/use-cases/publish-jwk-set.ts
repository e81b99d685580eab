// The published set of the key rings and the keys of other signers, memoized until they change.
import type * as IO from 'fp-ts/lib/IO.js'
import type { ForeignKey } from '../keys/foreign-key.js'
import { maxAgeOf, publishedKeys } from '../keys/published-keys.js'
import type { KeyPolicy } from '../keys/key-settings.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { CredentialGenerator } from '../ports/credential-generator.js'
import type { PublishedJwkSet } from '../ports/key-set-reader.js'

export const publishJwkSet =
  (policy: KeyPolicy, { now }: Pick<CredentialGenerator, 'now'>) =>
  (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey>): IO.IO<PublishedJwkSet> => {
    const jwkSet = publishedKeys(rings, foreign)
    const maxAge = maxAgeOf(policy, rings)
    return () => ({ jwkSet, maxAge: maxAge(now()) })
  }
