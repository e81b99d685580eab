// Which key may sign, and for how long its signature may be good: so that whoever verifies it finds the key in the set.
import * as E from 'fp-ts/lib/Either.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import type { KeyPolicy } from './key-policy.js'
import { type KeyRing, type RingKey, signingKey } from './key-ring.js'

export type SigningRequest = {
  readonly kid: string
  /** When the signature is not good any more: the claim exp. */
  readonly expiresAt: EpochSeconds
}

export type SigningRefusal =
  /** Another key of the ring signs, or the ring is for encryption. */
  | { readonly error: 'not_the_signing_key' }
  /** The algorithm is not used any more. */
  | { readonly error: 'ring_closed' }
  /** Verifiers may keep sets without the ring until then. */
  | { readonly error: 'ring_not_open'; readonly opensAt: EpochSeconds }
  /** The key may be gone from the set before: at most this long. */
  | { readonly error: 'good_for_too_long'; readonly retention: number }

/**
 * The key to sign with, or why it must not. The retention is that of the policy or that which the ring promises, by which every
 * instance counts how long retired keys are published; the shorter one.
 */
export const permitSigning =
  (policy: KeyPolicy, at: EpochSeconds) =>
  (ring: KeyRing, { kid, expiresAt }: SigningRequest): E.Either<SigningRefusal, RingKey> => {
    const key = signingKey(ring)
    if (ring.use !== 'sig' || key.kid !== kid) return E.left({ error: 'not_the_signing_key' })
    if (ring.closedAt !== undefined) return E.left({ error: 'ring_closed' })
    if (ring.opensAt !== undefined && ring.opensAt > at)
      return E.left({ error: 'ring_not_open', opensAt: ring.opensAt })
    const retention = Math.min(policy.retention, ring.promised.retention)
    return expiresAt > secondsAfter(at, retention) ? E.left({ error: 'good_for_too_long', retention }) : E.right(key)
  }
