// The ring of an algorithm that has none yet.
import { type EpochSeconds, later, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-policy.js'
import type { KeyRing, KeyUse, RingKey } from './key-ring.js'

/** A key pair that no ring publishes yet. */
export type FreshKey = Omit<RingKey, 'publishedAt'>

/** The very first rings sign at once: no verifier has a set without their keys. */
export const newRing =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (alg: string, use: KeyUse, fresh: FreshKey): KeyRing => ({
    alg,
    use,
    current: { key: { ...fresh, publishedAt: at }, since: at, goodUntil: at },
    announced: undefined,
    retired: [],
    opensAt: undefined,
    closedAt: undefined,
    forgotten: [],
    promised: { maxAge: policy.maxAge, retention: policy.retention },
    cachedUntil: at,
    version: 1,
  })

/** RFC 9111 §5.2.2.1: until when verifiers may keep the sets that were given out, under whatever policy. */
export const cachedUntilOf = (rings: ReadonlyArray<KeyRing>, at: EpochSeconds): EpochSeconds =>
  rings.reduce(
    (latest, { cachedUntil, promised }) => later(latest, later(cachedUntil, secondsAfter(at, promised.maxAge))),
    at,
  )

/** OpenID Connect Core §10.1.1: a ring that comes when others are there signs once every verifier has fetched its key. */
export const laterRing =
  (policy: KeyPolicy, at: EpochSeconds, others: ReadonlyArray<KeyRing>) =>
  (alg: string, use: KeyUse, fresh: FreshKey): KeyRing => {
    const cachedUntil = cachedUntilOf(others, at)
    const opensAt = later(cachedUntil, secondsAfter(at, policy.publishAhead))
    return { ...newRing(policy, at)(alg, use, fresh), cachedUntil, opensAt }
  }
