import * as O from 'fp-ts/lib/Option.js'
import { type KeyObject, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceLength = 12
const tagLength = 16

/** AES-256-GCM: nonce, ciphertext and tag in base64url. The nonce is random (NIST SP 800-38D §8.2.2). */
export const encrypt = (key: KeyObject, plain: string, associatedData: string): string => {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(associatedData))
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return sealed.toString('base64url')
}

const decryptOctets = (key: KeyObject, sealed: Buffer, associatedData: string): string => {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceLength), {
    authTagLength: tagLength,
  })
  decipher.setAAD(Buffer.from(associatedData)).setAuthTag(sealed.subarray(-tagLength))
  // The plaintext is valid only after final(), which verifies the tag.
  const plain = decipher.update(sealed.subarray(nonceLength, -tagLength))
  decipher.final()
  return plain.toString('utf8')
}

/** The plaintext, if it was encrypted with this key and associated data; only one base64url encoding is accepted. */
export const decrypt = (key: KeyObject, payload: string, associatedData: string): O.Option<string> => {
  const sealed = Buffer.from(payload, 'base64url')
  return sealed.length < nonceLength + tagLength || sealed.toString('base64url') !== payload
    ? O.none
    : O.tryCatch(() => decryptOctets(key, sealed, associatedData))
}
