import * as O from 'fp-ts/lib/Option.js'
import { base64url, fromBase64url, utf8 } from './bytes.js'
import type { ConfirmationCipher, ConfirmationCiphers } from './sealed-confirmations.js'

type Key = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>

const nonceLength = 12

const keyOfPurpose = async (encryptionKey: Uint8Array<ArrayBuffer>, purpose: string): Promise<Key> => {
  const root = await crypto.subtle.importKey('raw', encryptionKey, 'HKDF', false, ['deriveKey'])
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: utf8(''), info: utf8(`clientele ${purpose}`) }
  return crypto.subtle.deriveKey(hkdf, root, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const aesGcm = (iv: Uint8Array<ArrayBuffer>, associatedData: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: utf8(associatedData),
})

const cipherWith = (key: Promise<Key>): ConfirmationCipher => ({
  encrypt: (plain, associatedData) => async () => {
    const nonce = crypto.getRandomValues(new Uint8Array(nonceLength))
    const sealed = await crypto.subtle.encrypt(aesGcm(nonce, associatedData), await key, utf8(plain))
    return base64url(new Uint8Array([...nonce, ...new Uint8Array(sealed)]))
  },
  decrypt: (payload, associatedData) => async () => {
    const sealed = fromBase64url(payload)
    if (O.isNone(sealed)) return O.none
    const params = aesGcm(sealed.value.subarray(0, nonceLength), associatedData)
    try {
      const plain = await crypto.subtle.decrypt(params, await key, sealed.value.subarray(nonceLength))
      return O.some(new TextDecoder().decode(plain))
    } catch {
      return O.none
    }
  },
})

/** By WebCrypto, with keys of 32 octets, each derived from the encryption key for its purpose (RFC 5869). */
export const webConfirmationCiphers =
  (encryptionKey: () => Uint8Array<ArrayBuffer>): ConfirmationCiphers =>
  (purpose) =>
    cipherWith(keyOfPurpose(encryptionKey(), purpose))
