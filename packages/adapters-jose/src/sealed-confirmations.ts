// Sealed texts that a browser keeps, such as the values of logout confirmation pages; and their ciphers by WebCrypto.
import type { EpochSeconds } from '@clientele/domain/kernel'
import { OfferedConfirmation } from '@clientele/domain/logout'
import type { LogoutConfirmations } from '@clientele/domain/ports'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'
import { base64url } from 'jose'
import { isStrictBase64url } from './compact-token.js'

const secondsOfDay = 86_400

/** AES-256-GCM with keys derived for one purpose. */
export type ConfirmationCipher = {
  readonly encrypt: (plain: string, associatedData: string) => T.Task<string>
  /** None for a text that was not encrypted with one of the keys and the same associated data. */
  readonly decrypt: (payload: string, associatedData: string) => T.Task<O.Option<string>>
}

/** Makes the cipher for a purpose. */
export type ConfirmationCiphers = (purpose: string) => ConfirmationCipher

export type SealedTexts = {
  readonly sealText: (plain: string) => T.Task<string>
  /** None for any text that was not sealed for the same purpose, today or on the day before. */
  readonly openText: (value: string) => T.Task<O.Option<string>>
}

/**
 * Sealed texts that a browser keeps, so that the service need not store them. They can be decrypted on the day on which
 * they were sealed and on the next. Each day has its own key: clients can request any number of them, and a key may be
 * used with 2^32 random nonces (NIST SP 800-38D §8.3).
 */
export const createSealedTexts = (
  ciphers: ConfirmationCiphers,
  purpose: string,
  now: () => EpochSeconds,
): SealedTexts => {
  let known: { readonly day: number; readonly cipher: ConfirmationCipher } | undefined
  const cipherOf = (day: number): ConfirmationCipher => {
    if (known?.day !== day) known = { day, cipher: ciphers(`${purpose} of day ${day}`) }
    return known.cipher
  }
  const today = (): number => Math.floor(now() / secondsOfDay)
  return {
    sealText: (plain) => async () => {
      const day = today()
      return `${day}.${await cipherOf(day).encrypt(plain, String(day))()}`
    },
    openText: (value) => () => {
      const [written = '', payload = '', ...rest] = value.split('.')
      const day = [today(), today() - 1].find((each) => String(each) === written)
      if (day === undefined || rest.length > 0) return T.of(O.none)()
      return cipherOf(day).decrypt(payload, written)()
    },
  }
}

const decoded = (text: string): O.Option<OfferedConfirmation> =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((json) => O.fromEither(OfferedConfirmation.decode(json))),
  )

/** The values of logout confirmation pages as sealed text in the form. */
export const createSealedConfirmations = (
  ciphers: ConfirmationCiphers,
  now: () => EpochSeconds,
): LogoutConfirmations => {
  const { sealText, openText } = createSealedTexts(ciphers, 'logout confirmations', now)
  return {
    sealConfirmation: (confirmation) => sealText(JSON.stringify(OfferedConfirmation.encode(confirmation))),
    openConfirmation: (value) => pipe(openText(value), T.map(O.flatMap(decoded))),
  }
}

type Key = Awaited<ReturnType<typeof crypto.subtle.deriveKey>>

const encoder = new TextEncoder()

const utf8 = (text: string): Uint8Array<ArrayBuffer> => encoder.encode(text)

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
    return base64url.encode(new Uint8Array([...nonce, ...new Uint8Array(sealed)]))
  },
  decrypt: (payload, associatedData) => async () => {
    if (!isStrictBase64url(payload)) return O.none
    const sealed = new Uint8Array(base64url.decode(payload))
    const params = aesGcm(sealed.subarray(0, nonceLength), associatedData)
    try {
      const plain = await crypto.subtle.decrypt(params, await key, sealed.subarray(nonceLength))
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
