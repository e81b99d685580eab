// Keys of another server, so that a migration keeps their names: the first of an algorithm signs, the others verify.
import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-policy.js'
import { type KeyRing, knownKids } from './key-ring.js'
import type { FreshKey } from './new-ring.js'
import type { KidKnown } from './roll-over.js'
import { promote } from './advance.js'

/** Keys of one algorithm: the first of them signs. */
export type ImportedKeys = { readonly alg: string; readonly keys: ReadonlyArray<FreshKey> }

const repeated = (ring: KeyRing, keys: ReadonlyArray<FreshKey>): string | undefined => {
  const kids = keys.map(({ kid }) => kid)
  return kids.find((kid, index) => knownKids(ring).includes(kid) || kids.indexOf(kid) < index)
}

/**
 * Verifiers know these keys from the server before, so that the first of them signs at once; what the ring had is retired, and
 * so are the others.
 */
export const importKeys =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, keys: ReadonlyArray<FreshKey>): E.Either<KidKnown, KeyRing> => {
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
          forgottenAt: secondsAfter(at, policy.retention),
        })),
      ],
    })
  }
