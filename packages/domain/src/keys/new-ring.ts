// The ring of an algorithm that has none.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-settings.js'
import type { KeyRing, KeyUse, RingKey } from './key-ring.js'

/** A key pair that no ring publishes yet. */
export type GeneratedKey = Omit<RingKey, 'publishedAt'>

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
    promised: { maxAge: policy.maxAge, retention: policy.retention },
    cachedUntil: at,
    version: 1,
  })

/** RFC 9111 §5.2.2.1: the time until which verifiers may cache published sets, under any earlier policy. */
export const cachedUntilOf = (rings: ReadonlyArray<KeyRing>, at: EpochSeconds): EpochSeconds =>
  rings.reduce(
    (latest, { cachedUntil, promised }) => later(latest, later(cachedUntil, secondsAfter(at, promised.maxAge))),
    at,
  )

/** OpenID Connect Core §10.1.1: a ring that is added to others signs when every verifier has fetched its key. */
export const laterRing =
  (policy: KeyPolicy, at: EpochSeconds, others: ReadonlyArray<KeyRing>) =>
  (alg: string, use: KeyUse, generated: GeneratedKey): KeyRing => {
    const cachedUntil = cachedUntilOf(others, at)
    const opensAt = later(cachedUntil, secondsAfter(at, policy.publishAhead))
    return { ...newRing(policy, at)(alg, use, generated), cachedUntil, opensAt }
  }
