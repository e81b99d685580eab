// OpenID Connect Core §10.1.1: the key that may sign, and the maximum lifetime of its signature, so that verifiers find the key in the set.
import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyPolicy } from './key-settings.js'
import { type LastRead, maxReadAge, notReadSince, presentTime } from './last-read.js'
import { type KeyRing, type RingKey, signingKey } from './key-ring.js'

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
