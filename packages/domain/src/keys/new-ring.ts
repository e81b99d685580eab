// The ring of an algorithm that has none.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-settings.js'
import { cachedUntilOf } from './published-until.js'
import type { KeyPromises, KeyRing, KeyUse, RingKey } from './key-ring.js'

/** A key pair that no ring publishes yet. */
export type GeneratedKey = Omit<RingKey, 'publishedAt'>

/** The promises to verifiers and signers under this policy. */
export const promisesOf = ({ maxAge, retention, publishAhead }: KeyPolicy): KeyPromises => ({
  maxAge,
  retention,
  publishAhead,
})

/** The first rings of a service sign at once: no verifier has a set without their keys. */
export const newRing =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (alg: string, use: KeyUse, generated: GeneratedKey): KeyRing => ({
    alg,
    use,
    current: { key: { ...generated, publishedAt: at }, since: at, goodUntil: at },
    announced: undefined,
    retired: [],
    opensAt: undefined,
    closedAt: undefined,
    forgotten: [],
    promised: promisesOf(policy),
    cachedUntil: at,
    version: 1,
  })

/** OpenID Connect Core §10.1.1: a ring that is added to others signs when every verifier has fetched its key. */
export const laterRing =
  (policy: KeyPolicy, at: EpochSeconds, others: ReadonlyArray<KeyRing>) =>
  (alg: string, use: KeyUse, generated: GeneratedKey): KeyRing => {
    const cachedUntil = others.reduce((latest, ring) => later(latest, cachedUntilOf(ring, at)), at)
    const opensAt = later(cachedUntil, secondsAfter(at, policy.publishAhead))
    return { ...newRing(policy, at)(alg, use, generated), cachedUntil, opensAt }
  }
