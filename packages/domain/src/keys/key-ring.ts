import * as t from 'io-ts'
import { EpochSeconds } from '../codec/epoch-seconds.js'
import { PublicJwk } from './public-jwk.js'

/** A key pair of a ring. The private half is text that nothing here reads, and that only the store and the signer handle. */
export const RingKey = t.readonly(
  t.exact(t.type({ kid: t.string, jwk: PublicJwk, privateKey: t.string, publishedAt: EpochSeconds })),
  'RingKey',
)
export interface RingKey extends t.TypeOf<typeof RingKey> {}

/** RFC 7517 §4.2: what the keys of a ring are for. */
export const KeyUse = t.keyof({ sig: null, enc: null }, 'KeyUse')
export type KeyUse = t.TypeOf<typeof KeyUse>

const AnnouncedKey = t.readonly(t.exact(t.type({ key: RingKey, signsFrom: EpochSeconds })))
export interface AnnouncedKey extends t.TypeOf<typeof AnnouncedKey> {}
const CurrentKey = t.readonly(t.exact(t.type({ key: RingKey, since: EpochSeconds, goodUntil: EpochSeconds })))
const RetiredKey = t.readonly(t.exact(t.type({ key: RingKey, since: EpochSeconds, forgottenAt: EpochSeconds })))

/**
 * The keys of one algorithm: exactly one that signs, at most one that is announced, and those that are retired but still
 * published. So neither none nor two can sign, whatever happens.
 */
export const KeyRing = t.readonly(
  t.exact(
    t.type({
      alg: t.string,
      use: KeyUse,
      current: CurrentKey,
      announced: t.union([AnnouncedKey, t.undefined]),
      retired: t.readonlyArray(RetiredKey),
      /** From when on a ring signs that came when others were published already: verifiers keep sets without it. */
      opensAt: t.union([EpochSeconds, t.undefined]),
      /** Since when the algorithm is not used any more: nothing signs with it, and it is published until signatures expire. */
      closedAt: t.union([EpochSeconds, t.undefined]),
      /** The names of keys that are gone: none of them comes again. */
      forgotten: t.readonlyArray(t.string),
      /** What verifiers and signatures were promised last, so that a change of the policy breaks no promise. */
      promised: t.readonly(t.exact(t.type({ maxAge: t.number, retention: t.number }))),
      /** The time until which a verifier may keep a set that was given out under an earlier promise. */
      cachedUntil: EpochSeconds,
      /** Rises with every replacement. */
      version: t.number,
    }),
  ),
  'KeyRing',
)
export interface KeyRing extends t.TypeOf<typeof KeyRing> {}

export type KeyPhase = 'announced' | 'signing' | 'retired'

/** Every key of the ring with its phase. */
export const keysOf = (ring: KeyRing): ReadonlyArray<{ readonly key: RingKey; readonly phase: KeyPhase }> => [
  ...(ring.announced === undefined ? [] : [{ key: ring.announced.key, phase: 'announced' as const }]),
  { key: ring.current.key, phase: 'signing' as const },
  ...ring.retired.map(({ key }) => ({ key, phase: 'retired' as const })),
]

export const knownKids = (ring: KeyRing): ReadonlyArray<string> => [
  ...keysOf(ring).map(({ key }) => key.kid),
  ...ring.forgotten,
]

/** The key that signs; there is always one. */
export const signingKey = (ring: KeyRing): RingKey => ring.current.key
