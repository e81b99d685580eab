/**
 * Cryptography by node:crypto: the sealing of stored values (AES-256-GCM), the ciphers of logout confirmation pages,
 * digests of tokens (HMAC-SHA256), random values, and the verification of signatures.
 */
export {
  type ReplaceableKeys,
  type StorageKeys,
  confirmationCiphersBy,
  createEncryption,
  encryptionBy,
  encryptionKeyFingerprint,
  keyOfPurpose,
  nodeConfirmationCiphers,
  storageKeys,
} from './encryption.js'
export {
  createCredentialGenerator,
  hashOfSha256,
  hashToken,
  randomAlphanumeric,
  type GeneratedLengths,
} from './credentials.js'
export { verifyByNode } from './signatures.js'
