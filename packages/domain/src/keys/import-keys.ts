// Keys of another server, imported with their names: the first of an algorithm signs, the others verify.
import * as E from 'fp-ts/lib/Either.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-settings.js'
import { type KeyRing, knownKids } from './key-ring.js'
import type { GeneratedKey } from './new-ring.js'
import type { KidKnown } from './roll-over.js'
import { promote } from './advance.js'
import { neededUntil } from './published-until.js'

/** Keys of one algorithm; the first one signs. */
export type ImportedKeys = { readonly alg: string; readonly keys: ReadonlyArray<GeneratedKey> }

const repeated = (ring: KeyRing, keys: ReadonlyArray<GeneratedKey>): string | undefined => {
  const kids = keys.map(({ kid }) => kid)
  return kids.find((kid, index) => knownKids(ring).includes(kid) || kids.indexOf(kid) < index)
}

/**
 * Verifiers know these keys from the previous server, so that the first one signs at once. The other imported keys and
 * the keys of the ring are retired.
 */
export const importKeys =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, keys: ReadonlyArray<GeneratedKey>): E.Either<KidKnown, KeyRing> => {
    const kid = repeated(ring, keys)
    if (kid !== undefined) return E.left({ error: 'kid_known', kid })
    const [first, ...others] = keys.map((key) => ({ ...key, publishedAt: at }))
    if (first === undefined) return E.right(ring)
    const announced = ring.announced === undefined ? [] : [ring.announced.key]
    const promoted = promote(policy, at)(ring, first)
    return E.right({
      ...promoted,
      retired: [
        ...promoted.retired,
        ...[...announced, ...others].map((key) => ({
          key,
          since: at,
          forgottenAt: neededUntil(ring, policy, at),
        })),
      ],
    })
  }
