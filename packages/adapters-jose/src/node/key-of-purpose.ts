import { hkdfSync } from 'node:crypto'

/**
 * A key of 32 octets for one purpose, derived from the encryption key (RFC 5869). It reveals nothing about the
 * encryption key or the keys of other purposes, and texts sealed for one purpose cannot be decrypted for another.
 */
export const keyOfPurpose = (encryptionKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', `clientele ${purpose}`, 32))
