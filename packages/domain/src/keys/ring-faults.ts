// The invariants of stored rings: the service does not start when the store violates one.
import { publicKeyFaults } from '../client/public-key.js'
import type { ForeignKey } from './foreign-key.js'
import { type KeyRing, keysOf } from './key-ring.js'

const repeatedKids = (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey>): ReadonlyArray<string> => {
  const kids = [...rings.flatMap(keysOf).map(({ key }) => key.kid), ...foreign.map(({ kid }) => kid)]
  return kids
    .filter((kid, index) => kids.indexOf(kid) < index)
    .map((kid) => `two published keys have the kid ${kid}: restore a backup`)
}

const weakKeys = (ring: KeyRing): ReadonlyArray<string> =>
  keysOf(ring)
    .filter(({ key }) => publicKeyFaults(key.jwk).length > 0)
    .map(
      ({ key }) =>
        `the key ${key.kid} of the key ring ${ring.alg} is not a sound public key (RSA: 2048 bits or more): ` +
        'restore a backup',
    )

/** One line for each fault. */
export const ringFaults = (
  rings: ReadonlyArray<KeyRing>,
  foreign: ReadonlyArray<ForeignKey>,
): ReadonlyArray<string> => [...repeatedKids(rings, foreign), ...rings.flatMap(weakKeys)]
