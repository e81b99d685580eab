/**
 * What node:crypto does for a service: the sealing of stored values (AES-256-GCM), the ciphers of dialogs, digests of tokens
 * (HMAC-SHA256), and random values.
 */
export { nodeDialogCiphers } from './dialog-ciphers.js'
export { createEncryption } from './encryption.js'
export { createFresh, type FreshLengths } from './fresh.js'
export { hashOfSha256, hashToken } from './hash-token.js'
export { randomAlphanumeric } from './random-alphanumeric.js'
