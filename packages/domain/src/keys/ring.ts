// The keys of one algorithm: a ring, its settings, and what caches hold of it.
import * as t from 'io-ts'
import { asymmetricAlgorithm, requestEncryption } from '../client/keys.js'
import { type Unavailable, unavailable } from '../kernel/refusals.js'
import { EpochSeconds, later, secondsAfter } from '../kernel/time.js'
import { record, recordWith } from '../kernel/values.js'

// RFC 7518 §6, RFC 8037 §2: the public members of a key; there is no field for any private member.
const RsaPublicJwk = record('RsaPublicJwk', { kty: t.literal('RSA'), n: t.string, e: t.string })
const EcPublicJwk = record('EcPublicJwk', { kty: t.literal('EC'), crv: t.string, x: t.string, y: t.string })
const OkpPublicJwk = record('OkpPublicJwk', { kty: t.literal('OKP'), crv: t.string, x: t.string })
interface RsaPublicJwk extends t.TypeOf<typeof RsaPublicJwk> {}
interface EcPublicJwk extends t.TypeOf<typeof EcPublicJwk> {}
interface OkpPublicJwk extends t.TypeOf<typeof OkpPublicJwk> {}

/** RFC 7517 §4: the public half of a key, without its name and use. */
export const PublicJwk = t.union([RsaPublicJwk, EcPublicJwk, OkpPublicJwk], 'PublicJwk')
export type PublicJwk = RsaPublicJwk | EcPublicJwk | OkpPublicJwk

/** RFC 7517 §4: a key as the set publishes it. */
export type PublishedJwk = PublicJwk & { readonly kid: string; readonly use: 'sig' | 'enc'; readonly alg: string }

/** RFC 7517 §5 */
export type JwkSet = { readonly keys: ReadonlyArray<PublishedJwk> }

/** A key pair of a ring. The private half is opaque text here; only the store and the signer use it. */
export const RingKey = record('RingKey', {
  kid: t.string,
  jwk: PublicJwk,
  privateKey: t.string,
  publishedAt: EpochSeconds,
})
export interface RingKey extends t.TypeOf<typeof RingKey> {}

/** RFC 7517 §4.2: the use of the keys of a ring. */
export const KeyUse = t.keyof({ sig: null, enc: null }, 'KeyUse')
export type KeyUse = t.TypeOf<typeof KeyUse>

const AnnouncedKey = record('AnnouncedKey', { key: RingKey, signsFrom: EpochSeconds })
export interface AnnouncedKey extends t.TypeOf<typeof AnnouncedKey> {}
const CurrentKey = record('CurrentKey', { key: RingKey, since: EpochSeconds, goodUntil: EpochSeconds })
const RetiredKey = record('RetiredKey', { key: RingKey, since: EpochSeconds, forgottenAt: EpochSeconds })

/** In seconds. A ring that was stored by an earlier version has no publishAhead. */
const KeyPromises = recordWith('KeyPromises', { maxAge: t.number, retention: t.number }, { publishAhead: t.number })
export type KeyPromises = t.TypeOf<typeof KeyPromises>

/**
 * The keys of one algorithm: exactly one that signs, at most one announced, and the retired ones that are still
 * published. The type excludes rings with no signing key or with two.
 */
export const KeyRing = record('KeyRing', {
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
})
export interface KeyRing extends t.TypeOf<typeof KeyRing> {}

/** In place of signing, the current encryption key is published: clients encrypt to it. */
export type KeyPhase = 'announced' | 'signing' | 'published' | 'retired'

export const phaseOfCurrent = ({ use }: Pick<KeyRing, 'use'>): 'signing' | 'published' =>
  use === 'enc' ? 'published' : 'signing'

/** All keys of the ring with their phases. */
export const keysOf = (ring: KeyRing): ReadonlyArray<{ readonly key: RingKey; readonly phase: KeyPhase }> => [
  ...(ring.announced === undefined ? [] : [{ key: ring.announced.key, phase: 'announced' as const }]),
  { key: ring.current.key, phase: phaseOfCurrent(ring) },
  ...ring.retired.map(({ key }) => ({ key, phase: 'retired' as const })),
]

export const knownKids = (ring: KeyRing): ReadonlyArray<string> => [
  ...keysOf(ring).map(({ key }) => key.kid),
  ...ring.forgotten,
]

/** The key that signs; every ring has one. */
export const signingKey = (ring: KeyRing): RingKey => ring.current.key

/** The times of the key rotation, in whole seconds. */
export type KeyPolicy = {
  /** The time for which a key signs before its successor does. */
  readonly lifetime: number
  /** The time for which a key is published before it signs: at least twice maxAge. */
  readonly publishAhead: number
  /** The time for which a key is published after its last signature, and the maximum lifetime of a signature. */
  readonly retention: number
  /** The maximum time for which a verifier may cache the set. */
  readonly maxAge: number
}

/** The operator's settings for keys. */
export type KeySettings = {
  readonly policy: KeyPolicy
  /** One ring for each of these. */
  readonly signingAlgorithms: ReadonlyArray<string>
}

export type RingName = { readonly alg: string; readonly use: KeyUse }

/** The algorithms with which a ring can sign. */
export const signingAlgorithms: ReadonlyArray<string> = asymmetricAlgorithm.values

/** The key to which clients encrypt. */
export const encryptionRing: RingName = { alg: requestEncryption, use: 'enc' }

/** The rings that the settings require. */
export const ringNames = ({ signingAlgorithms }: KeySettings): ReadonlyArray<RingName> => [
  ...signingAlgorithms.map((alg): RingName => ({ alg, use: 'sig' })),
  encryptionRing,
]

// Between two reads of the stored rings, another instance may change them. These bounds make that harmless; the decision
// record "keys of several instances" derives them.

/** The last read of the stored rings by this instance. */
export type LastRead = {
  /** The store's time just before the read. */
  readonly at: EpochSeconds
  /** The whole seconds since then, rounded up, by a clock that does not go back. */
  readonly age: number
}

/** In seconds: no instance signs on rings that it read longer ago. */
export const maxReadAge = 30

/**
 * In seconds: the difference of the clocks of the hosts of the store (5), and the time until every instance can read a
 * change whose time was taken (5).
 */
export const maxSkew = 10

/**
 * In seconds: a change is stored less than this after the store's time at which it was decided, also by a process that was
 * suspended meanwhile. The time until every instance can read it is part of maxSkew.
 */
export const maxStoringTime = 5

/** Whether a change may still be stored at this time of the store. */
export const isInTime = (decidedAt: EpochSeconds, now: EpochSeconds): boolean => now - decidedAt < maxStoringTime

/** The present time of the store, at most one second and the length of the read ahead of it. */
export const presentTime = ({ at, age }: LastRead): EpochSeconds => secondsAfter(at, age)

export const notReadSince = ({ at }: LastRead): Unavailable =>
  unavailable(`the key rings were not read since ${at} (in seconds since 1970)`)

// How long verifiers may have a set that lacks a change, and how long a key must be available after its last use.

/**
 * RFC 9111 §5.2.2.1: the time until which verifiers may cache sets without a change that is made at `at`. An instance
 * that cannot read the change publishes the set without it for the promised publishAhead (see maxAgeOf).
 */
export const cachedUntilOf = (
  { cachedUntil, promised }: Pick<KeyRing, 'cachedUntil' | 'promised'>,
  at: EpochSeconds,
): EpochSeconds => later(cachedUntil, secondsAfter(at, promised.publishAhead ?? promised.maxAge))

// Clients may encrypt to a key for as long as they may cache a set that contains it.
const useLasts = (use: KeyRing['use'], { retention, publishAhead = 0 }: KeyPromises): number =>
  use === 'enc' ? Math.max(retention, publishAhead) : retention

/**
 * The time until which a key is needed that is replaced at `at`: an instance that last read the ring just before signs
 * with the key until its read is too old.
 */
export const neededUntil = ({ use }: Pick<KeyRing, 'use'>, promised: KeyPromises, at: EpochSeconds): EpochSeconds =>
  secondsAfter(at, useLasts(use, promised) + maxReadAge + maxSkew)
