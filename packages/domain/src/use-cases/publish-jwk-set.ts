// What is published of the key rings and of the keys of other signers, in the state that they have until they change.
import type * as IO from 'fp-ts/lib/IO.js'
import type { ForeignKey } from '../keys/foreign-key.js'
import { maxAgeOf, publishedKeys } from '../keys/jwk-set.js'
import type { KeyPolicy } from '../keys/key-policy.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { Fresh } from '../ports/fresh.js'
import type { PublishedJwkSet } from '../ports/jwk-set-source.js'

export const publishJwkSet =
  (policy: KeyPolicy, { now }: Pick<Fresh, 'now'>) =>
  (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey>): IO.IO<PublishedJwkSet> => {
    const jwkSet = publishedKeys(rings, foreign)
    const maxAge = maxAgeOf(policy, rings)
    return () => ({ jwkSet, maxAge: maxAge(now()) })
  }
