import { encryptionKeyFingerprint } from '@clientele/adapters-jose/node'
import type { EncryptionKeyFingerprints } from '@clientele/domain/instances'
import type { SharedSecrets } from '../data/open-data.js'

/** The fingerprints of the encryption keys of this process, the first of which seals. */
export const ownKeys = ({ encryptionKeys }: Pick<SharedSecrets, 'encryptionKeys'>): EncryptionKeyFingerprints => {
  const opens_with = encryptionKeys.map(encryptionKeyFingerprint)
  return { seals_with: opens_with[0] ?? '', opens_with }
}
