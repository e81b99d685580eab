import { createHmac, createSecretKey, hash as digestOf } from 'node:crypto'
import { type HashText, TokenHash } from '@clientele/domain/authorization'

/** The hash of a token by its SHA-256. */
export const hashOfSha256 = (digestKey: string): ((digest: Buffer) => TokenHash) => {
  const key = createSecretKey(digestKey, 'utf8')
  return (digest) => {
    const hash = createHmac('sha256', key).update(digest).digest('base64url')
    if (!TokenHash.is(hash)) throw new Error('an HMAC-SHA256 in base64url must be a TokenHash')
    return hash
  }
}

/** HMAC-SHA256 over the SHA-256 of the token, with the key of the store. */
export const hashToken = (digestKey: string): HashText => {
  const hashOf = hashOfSha256(digestKey)
  return (token) => hashOf(digestOf('sha256', token, 'buffer'))
}
