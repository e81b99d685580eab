/**
 * Cryptography by node:crypto: the sealing of stored values (AES-256-GCM), the ciphers of logout confirmation pages,
 * digests of tokens (HMAC-SHA256), and random values.
 */
export { type ReplaceableKeys, confirmationCiphersBy, nodeConfirmationCiphers } from './confirmation-ciphers.js'
export {
  type StorageKeys,
  createEncryption,
  encryptionBy,
  encryptionKeyFingerprint,
  storageKeys,
} from './encryption.js'
export { createCredentialGenerator, type GeneratedLengths } from './credential-generator.js'
export { hashOfSha256, hashToken } from './hash-token.js'
export { keyOfPurpose } from './key-of-purpose.js'
export { randomAlphanumeric } from './random-alphanumeric.js'
