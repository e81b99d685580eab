import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { forgottenAt } from './retire-ring.js'
import type { ForeignKey } from './foreign-key.js'
import type { KeyPolicy } from './key-policy.js'
import { type KeyRing, type RingKey, keysOf } from './key-ring.js'
import type { JwkSet, PublishedJwk } from './public-jwk.js'
import { signsFrom } from './advance.js'
import { announcedAt } from './roll-over.js'

const published = (ring: KeyRing, { kid, jwk }: RingKey): PublishedJwk => ({
  ...jwk,
  kid,
  use: ring.use,
  alg: ring.alg,
})

// A key that nobody should encrypt to any more is not published; what was encrypted to it is still read.
const publishedOf = (ring: KeyRing): ReadonlyArray<RingKey> =>
  ring.use === 'enc' ? [ring.current.key] : keysOf(ring).map(({ key }) => key)

/** RFC 7517 §5: the public halves of all keys that verify, those of other signers included, and of the one to encrypt to. */
export const publishedKeys = (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey> = []): JwkSet => ({
  keys: [
    ...rings.flatMap((ring) => publishedOf(ring).map((key) => published(ring, key))),
    ...foreign.map(({ jwk, kid, alg }) => ({ ...jwk, kid, use: 'sig' as const, alg })),
  ],
})

const soonestForgotten = (soonest: EpochSeconds, { forgottenAt: end }: KeyRing['retired'][number]): EpochSeconds =>
  end < soonest ? end : soonest

const nextOfOpen = (policy: KeyPolicy, ring: KeyRing): EpochSeconds =>
  ring.announced === undefined ? announcedAt(policy, ring) : signsFrom(policy, ring.announced)

/** When anything about the ring changes of itself the next time. */
export const nextChange = (policy: KeyPolicy, ring: KeyRing): EpochSeconds => {
  if (ring.closedAt !== undefined) return ring.retired.reduce(soonestForgotten, forgottenAt(ring) ?? ring.closedAt)
  const next = ring.opensAt ?? nextOfOpen(policy, ring)
  return ring.retired.reduce(soonestForgotten, next)
}

/**
 * How many seconds the set may be kept: RFC 9111 §5.2.2.1. It never reaches past the next change, nor beyond what the rings
 * promise, by which every instance counts how long sets are kept. A service without keys makes them soon, so that the empty set
 * is not to be kept.
 */
export const maxAgeOf = (policy: KeyPolicy, rings: ReadonlyArray<KeyRing>): ((at: EpochSeconds) => number) => {
  if (rings.length === 0) return () => 0
  const next = Math.min(...rings.map((ring) => nextChange(policy, ring)))
  const longest = Math.min(policy.maxAge, ...rings.map(({ promised }) => promised.maxAge))
  return (at) => Math.min(longest, Math.max(0, next - at))
}
