// The sealing of stored values and of confirmation pages, by keys derived for each purpose (AES-256-GCM).
import type { ConfirmationCiphers } from '@clientele/adapters-jose'
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import type { Encryption } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hash as digestOf,
  hkdfSync,
  randomBytes,
} from 'node:crypto'

/**
 * A key of 32 octets for one purpose, derived from the encryption key (RFC 5869). It reveals nothing about the
 * encryption key or the keys of other purposes, and texts sealed for one purpose cannot be decrypted for another.
 */
export const keyOfPurpose = (encryptionKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', `clientele ${purpose}`, 32))

const nonceLength = 12
const tagLength = 16

/**
 * Draws nonces (NIST SP 800-38D §8.2.2): a digest of a secret of this process, a count, and all that is sealed. Nobody can
 * foresee one. Two copies of a memory image go on with the same secret and count, as a generator of numbers would; their
 * nonces differ wherever what they seal differs, so that no nonce seals two texts.
 */
export const createNonces = (secret: Buffer): ((plain: string, associatedData: string) => Buffer) => {
  const beginning = secret.toString('base64url')
  let count = 0
  return (plain, associatedData) => {
    count += 1
    const sealed = `${beginning}${count}.${associatedData.length}.${associatedData}${plain}`
    return digestOf('sha256', sealed, 'buffer').subarray(0, nonceLength)
  }
}

const nonceOf = createNonces(randomBytes(32))

/** AES-256-GCM: nonce, ciphertext and tag in base64url. */
const encrypt = (key: KeyObject, plain: string, associatedData: string): string => {
  const nonce = nonceOf(plain, associatedData)
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
const decrypt = (key: KeyObject, payload: string, associatedData: string): O.Option<string> => {
  const sealed = Buffer.from(payload, 'base64url')
  return sealed.length < nonceLength + tagLength || sealed.toString('base64url') !== payload
    ? O.none
    : O.tryCatch(() => decryptOctets(key, sealed, associatedData))
}

type Key = {
  readonly key: KeyObject
  readonly fingerprint: string
}

const withFingerprint = (key: Buffer): Key => {
  const digest = createHash('sha256').update('clientele encryption key').update(key).digest('base64url')
  return { key: createSecretKey(key), fingerprint: digest.slice(0, 12) }
}

const version = 'v2'

// The prefix has a fixed form, so that different contexts give different associated data.
const prefixOf = ({ fingerprint }: Key): string => `${version}.${fingerprint}.`

const open = (keys: ReadonlyArray<Key>, sealed: string, context: string): O.Option<string> => {
  const [written, fingerprint, payload = '', ...rest] = sealed.split('.')
  const key = keys.find((each) => each.fingerprint === fingerprint)
  return key === undefined || written !== version || rest.length > 0
    ? O.none
    : decrypt(key.key, payload, prefixOf(key) + context)
}

// Errors of node:crypto become values, like the refusals of a key management service.
const atOnce =
  <Value>(compute: () => Value): TaskEither<Unavailable, Value> =>
  () =>
    Promise.resolve(E.tryCatch(compute, unavailable))

const forStorage = (encryptionKey: Buffer): Key => withFingerprint(keyOfPurpose(encryptionKey, 'storage'))

/** The fingerprint of an encryption key, which the texts that it seals begin with; it does not reveal the key. */
export const encryptionKeyFingerprint = (encryptionKey: Buffer): string => forStorage(encryptionKey).fingerprint

/** Keys that are derived from encryption keys for stored values: the first one seals, all decrypt. */
export type StorageKeys = {
  readonly sealingKey: Key
  readonly openingKeys: ReadonlyArray<Key>
  readonly prefix: string
}

export const storageKeys = (first: Buffer, others: ReadonlyArray<Buffer>): StorageKeys => {
  const sealingKey = forStorage(first)
  return {
    sealingKey,
    openingKeys: [sealingKey, ...others.map(forStorage)],
    prefix: prefixOf(sealingKey),
  }
}

/** AES-256-GCM with keys of 32 octets: those that are present when a task runs. */
export const encryptionBy = (present: { readonly storage: StorageKeys }): Encryption => ({
  seal: (plain, context) =>
    atOnce(() => {
      const { prefix, sealingKey } = present.storage
      return prefix + encrypt(sealingKey.key, plain, prefix + context)
    }),
  open: (sealed, context) => atOnce(() => open(present.storage.openingKeys, sealed, context)),
  isCurrent: (sealed) => atOnce(() => sealed.startsWith(present.storage.prefix)),
})

/** The same with keys that do not change. */
export const createEncryption = (first: Buffer, others: ReadonlyArray<Buffer>): Encryption =>
  encryptionBy({ storage: storageKeys(first, others) })

/** Encryption keys, the first of which seals; they may be replaced. */
export type ReplaceableKeys = { readonly keys: readonly [Buffer, ...ReadonlyArray<Buffer>] }

type Derived = {
  readonly of: ReplaceableKeys['keys']
  readonly sealing: KeyObject
  readonly opening: ReadonlyArray<KeyObject>
}

/** By Node, synchronously: WebCrypto uses another thread, and takes longer for such short texts. */
export const confirmationCiphersBy =
  (replaceable: ReplaceableKeys): ConfirmationCiphers =>
  (purpose) => {
    const derived = (key: Buffer): KeyObject => createSecretKey(keyOfPurpose(key, purpose))
    const derive = ([first, ...others]: ReplaceableKeys['keys']): Derived => ({
      of: replaceable.keys,
      sealing: derived(first),
      opening: others.map(derived),
    })
    let known = derive(replaceable.keys)
    const present = (): Derived => {
      if (known.of !== replaceable.keys) known = derive(replaceable.keys)
      return known
    }
    return {
      encrypt: (plain, associatedData) => T.fromIO(() => encrypt(present().sealing, plain, associatedData)),
      decrypt: (payload, associatedData) =>
        T.fromIO(() => {
          const { sealing, opening } = present()
          return RA.findFirstMap((key: KeyObject) => decrypt(key, payload, associatedData))([sealing, ...opening])
        }),
    }
  }

/** The same with keys that do not change. */
export const nodeConfirmationCiphers = (first: Buffer, others: ReadonlyArray<Buffer>): ConfirmationCiphers =>
  confirmationCiphersBy({ keys: [first, ...others] })
