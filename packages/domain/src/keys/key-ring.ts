import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { PublicJwk } from './public-jwk.js'

/** A key pair of a ring. The private half is opaque text here; only the store and the signer use it. */
export const RingKey = t.readonly(
  t.exact(t.type({ kid: t.string, jwk: PublicJwk, privateKey: t.string, publishedAt: EpochSeconds })),
  'RingKey',
)
export interface RingKey extends t.TypeOf<typeof RingKey> {}

/** RFC 7517 §4.2: the use of the keys of a ring. */
export const KeyUse = t.keyof({ sig: null, enc: null }, 'KeyUse')
export type KeyUse = t.TypeOf<typeof KeyUse>

const AnnouncedKey = t.readonly(t.exact(t.type({ key: RingKey, signsFrom: EpochSeconds })))
export interface AnnouncedKey extends t.TypeOf<typeof AnnouncedKey> {}
const CurrentKey = t.readonly(t.exact(t.type({ key: RingKey, since: EpochSeconds, goodUntil: EpochSeconds })))
const RetiredKey = t.readonly(t.exact(t.type({ key: RingKey, since: EpochSeconds, forgottenAt: EpochSeconds })))

/** In seconds. A ring that was stored by an earlier version has no publishAhead. */
const KeyPromises = t.readonly(
  t.exact(t.intersection([t.type({ maxAge: t.number, retention: t.number }), t.partial({ publishAhead: t.number })])),
)
export type KeyPromises = t.TypeOf<typeof KeyPromises>

/**
 * The keys of one algorithm: exactly one that signs, at most one announced, and the retired ones that are still
 * published. The type excludes rings with no signing key or with two.
 */
export const KeyRing = t.readonly(
  t.exact(
    t.type({
      alg: t.string,
      use: KeyUse,
      current: CurrentKey,
      announced: t.union([AnnouncedKey, t.undefined]),
      retired: t.readonlyArray(RetiredKey),
      /**
       * The time from which a ring signs that was added to published rings: before, verifiers may have cached sets
       * without it.
       */
      opensAt: t.union([EpochSeconds, t.undefined]),
      /**
       * The time at which the algorithm was removed from the settings: the keys sign no more, and are published until
       * their signatures expire.
       */
      closedAt: t.union([EpochSeconds, t.undefined]),
      /** The names of removed keys; no new key gets one of these. */
      forgotten: t.readonlyArray(t.string),
      /** The times that were last promised to verifiers and signatures, so that a policy change breaks no promise. */
      promised: KeyPromises,
      /** The time until which verifiers may cache a set that was published under an earlier promise. */
      cachedUntil: EpochSeconds,
      /** Increases with every replacement. */
      version: t.number,
    }),
  ),
  'KeyRing',
)
export interface KeyRing extends t.TypeOf<typeof KeyRing> {}

export type KeyPhase = 'announced' | 'signing' | 'retired'

/** All keys of the ring with their phases. */
export const keysOf = (ring: KeyRing): ReadonlyArray<{ readonly key: RingKey; readonly phase: KeyPhase }> => [
  ...(ring.announced === undefined ? [] : [{ key: ring.announced.key, phase: 'announced' as const }]),
  { key: ring.current.key, phase: 'signing' as const },
  ...ring.retired.map(({ key }) => ({ key, phase: 'retired' as const })),
]

export const knownKids = (ring: KeyRing): ReadonlyArray<string> => [
  ...keysOf(ring).map(({ key }) => key.kid),
  ...ring.forgotten,
]

/** The key that signs; every ring has one. */
export const signingKey = (ring: KeyRing): RingKey => ring.current.key
