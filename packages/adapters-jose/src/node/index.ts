/**
 * Cryptography by node:crypto: the sealing of stored values (AES-256-GCM), the ciphers of logout confirmation pages,
 * digests of tokens (HMAC-SHA256), and random values.
 */
export { nodeConfirmationCiphers } from './confirmation-ciphers.js'
export { createEncryption, encryptionKeyFingerprint } from './encryption.js'
export { createCredentialGenerator, type GeneratedLengths } from './credential-generator.js'
export { hashOfSha256, hashToken } from './hash-token.js'
export { keyOfPurpose } from './key-of-purpose.js'
export { randomAlphanumeric } from './random-alphanumeric.js'
