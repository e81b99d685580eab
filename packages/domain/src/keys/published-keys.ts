import * as E from 'fp-ts/lib/Either.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import { forgottenAt } from './retire-ring.js'
import type { ForeignKey } from './foreign-key.js'
import type { KeyPolicy } from './key-settings.js'
import { type KeyRing, type RingKey, keysOf } from './key-ring.js'
import type { JwkSet, PublishedJwk } from './public-jwk.js'
import { type LastRead, maxSkew, notReadSince, presentTime } from './last-read.js'
import type { Unavailable } from '../errors.js'
import { signsFrom } from './advance.js'
import { announcedAt } from './roll-over.js'

const published = (ring: KeyRing, { kid, jwk }: RingKey): PublishedJwk => ({
  ...jwk,
  kid,
  use: ring.use,
  alg: ring.alg,
})

// A retired encryption key is not published, so that clients stop encrypting to it; it still decrypts.
const publishedOf = (ring: KeyRing): ReadonlyArray<RingKey> =>
  ring.use === 'enc' ? [ring.current.key] : keysOf(ring).map(({ key }) => key)

/**
 * RFC 7517 §5: the public halves of all keys that verify, including those of other signers, and of the current
 * encryption key.
 */
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

/** The time of the next change that is due in the ring. */
export const nextChange = (policy: KeyPolicy, ring: KeyRing): EpochSeconds => {
  if (ring.closedAt !== undefined) return ring.retired.reduce(soonestForgotten, forgottenAt(ring) ?? ring.closedAt)
  const next = ring.opensAt ?? nextOfOpen(policy, ring)
  return ring.retired.reduce(soonestForgotten, next)
}

/**
 * RFC 9111 §5.2.2.1: the seconds for which the set may be cached. They end before the next change, do not exceed the promise
 * of the rings, by which all instances compute the cache time, and end before a key can sign that another instance has
 * announced since the rings were read. Without keys, the set must not be cached, because the service makes keys soon.
 */
export const maxAgeOf = (
  policy: KeyPolicy,
  rings: ReadonlyArray<KeyRing>,
): ((read: LastRead) => E.Either<Unavailable, number>) => {
  if (rings.length === 0) return () => E.right(0)
  const next = Math.min(...rings.map((ring) => nextChange(policy, ring)))
  const longest = Math.min(policy.maxAge, ...rings.map(({ promised }) => promised.maxAge))
  const ahead = Math.min(...rings.map(({ promised }) => promised.publishAhead ?? policy.publishAhead))
  return (read) => {
    const left = Math.min(policy.publishAhead, ahead) - maxSkew - read.age
    return left <= 0
      ? E.left(notReadSince(read))
      : E.right(Math.min(longest, left, Math.max(0, next - presentTime(read))))
  }
}
