import { type CryptoKey, type LocalJWKSet, errors } from 'jose'

type Verify<A> = (key: LocalJWKSet | CryptoKey) => Promise<A>

/** Verifies by a set of keys. RFC 7515 §4.1.4: kid is optional, so that all matching keys are tried. */
export const byMatchingKey = async <A>(keys: LocalJWKSet, verify: Verify<A>): Promise<A> => {
  try {
    return await verify(keys)
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
    for await (const key of error) {
      const verified = await verify(key)
        .then((value) => ({ value }))
        .catch(() => undefined)
      if (verified !== undefined) return verified.value
    }
    throw error
  }
}
