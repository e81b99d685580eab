// Which key may sign, and with what it must agree.
import * as E from 'fp-ts/lib/Either.js'
import { publicKeyFaults } from '../client/keys.js'
import type { JsonObject } from '../kernel/json-object.js'
import type { Unavailable } from '../kernel/refusals.js'
import { EpochSeconds, secondsAfter } from '../kernel/time.js'
import { type ForeignKey, kidsOf } from './by-operator.js'
import {
  type KeyPolicy,
  type KeyRing,
  type LastRead,
  type RingKey,
  keysOf,
  maxReadAge,
  notReadSince,
  presentTime,
  signingKey,
} from './ring.js'

// OpenID Connect Core §10.1.1: the key that may sign, and the maximum lifetime of its signature, so that verifiers find the key in the set.

export type SigningRequest = {
  readonly kid: string
  /** The expiry of the signature: the claim exp. */
  readonly expiresAt: EpochSeconds
}

export type SigningRefusal =
  /** Another key of the ring signs, or the ring is for encryption. */
  | { readonly error: 'not_the_signing_key' }
  /** The algorithm is not in use any more. */
  | { readonly error: 'ring_closed' }
  /** Until then, verifiers may have cached sets without the ring. */
  | { readonly error: 'ring_not_open'; readonly opensAt: EpochSeconds }
  /** The expiry is no time in whole seconds since 1970, which only a caller without types can give. */
  | { readonly error: 'no_time' }
  /** The key may leave the set before the signature expires; the maximum lifetime is `retention`, in seconds. */
  | { readonly error: 'good_for_too_long'; readonly retention: number }

/**
 * The key that signs, or the refusal. The rings were read a short time ago, so that a key that was replaced since then is
 * published until this signature expires. A ring opens by the store's time, not by an estimate of it. The retention is the lesser one of the policy and of the ring's promise, by which
 * every instance computes how long retired keys are published.
 */
export const permitSigning =
  (policy: KeyPolicy, read: LastRead) =>
  (ring: KeyRing, { kid, expiresAt }: SigningRequest): E.Either<SigningRefusal | Unavailable, RingKey> => {
    if (!EpochSeconds.is(expiresAt)) return E.left({ error: 'no_time' })
    if (read.age > maxReadAge) return E.left(notReadSince(read))
    const key = signingKey(ring)
    if (ring.use !== 'sig' || key.kid !== kid) return E.left({ error: 'not_the_signing_key' })
    if (ring.closedAt !== undefined) return E.left({ error: 'ring_closed' })
    if (ring.opensAt !== undefined && ring.opensAt > read.at)
      return E.left({ error: 'ring_not_open', opensAt: ring.opensAt })
    const retention = Math.min(policy.retention, ring.promised.retention)
    return expiresAt > secondsAfter(presentTime(read), retention)
      ? E.left({ error: 'good_for_too_long', retention })
      : E.right(key)
  }

export type UnsignedToken = {
  readonly alg: string
  /** RFC 8725 §3.11: the type of the token, for example logout+jwt. */
  readonly typ: string
  /** Without iss, iat and exp, which the service sets. */
  readonly claims: JsonObject
  /** Becomes the claim exp, with iat as the present time; at most the policy's retention from now. */
  readonly expiresAt: EpochSeconds
  /** The key that must sign; by default the signing key of the ring. */
  readonly kid?: string
  /** OpenID Core §10.1: the client_secret that signs in place of a key, by HS256, HS384 or HS512 only. */
  readonly secret?: string
}

/** RFC 8725 §3.11: the types of what this service signs on its own behalf. */
export const ownTokenTypes = {
  auditCheckpoint: 'clientele-audit-checkpoint+jwt',
  loginRequest: 'login-request+jwt',
  logoutToken: 'logout+jwt',
} as const

// RFC 7515 §4.1.9: a media type, in any case, of which "application/" may be left out; RFC 9110 §8.3.1: with parameters.
const mediaTypeOf = (typ: string): string => (typ.split(';')[0] ?? '').trim().toLowerCase()

/** Whether a verifier may take the type for one that only this service signs. */
export const isOwnTokenType = (typ: string): boolean =>
  Object.values(ownTokenTypes).some((own) => [own, `application/${own}`].includes(mediaTypeOf(typ)))

// The invariants of stored rings: the service does not start when the store violates one.

const repeatedKids = (rings: ReadonlyArray<KeyRing>, foreign: ReadonlyArray<ForeignKey>): ReadonlyArray<string> => {
  const ofOthers = kidsOf(foreign)
  const kids = [...rings.flatMap(keysOf).map(({ key }) => key.kid), ...ofOthers]
  const remedy = (kid: string): string =>
    ofOthers.includes(kid) ? `remove that of another signer by clientele keys remove ${kid}` : 'restore a backup'
  return kids
    .filter((kid, index) => kids.indexOf(kid) < index)
    .map((kid) => `two published keys have the kid ${kid}: ${remedy(kid)}`)
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
