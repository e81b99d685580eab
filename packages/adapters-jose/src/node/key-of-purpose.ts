import { hkdfSync } from 'node:crypto'

/**
 * A key of 32 octets for one purpose alone, derived from the encryption key (RFC 5869). No purpose's key tells anything of
 * another one's, or of the encryption key; and what one purpose seals never opens for another one.
 */
export const keyOfPurpose = (encryptionKey: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', encryptionKey, '', `clientele ${purpose}`, 32))
