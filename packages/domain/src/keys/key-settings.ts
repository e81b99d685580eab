import { asymmetricAlgorithm } from '../client/algorithms.js'
import type { KeyPolicy } from './key-policy.js'
import type { KeyUse } from './key-ring.js'

/** The operator's settings for keys. */
export type KeySettings = {
  readonly policy: KeyPolicy
  /** One ring for each of these. */
  readonly signingAlgorithms: ReadonlyArray<string>
}

export type RingName = { readonly alg: string; readonly use: KeyUse }

/** The algorithms with which a ring can sign. */
export const signingAlgorithms: ReadonlyArray<string> = asymmetricAlgorithm.values

/** RFC 7518 §4.3: the key to which clients encrypt request objects and ID token hints. */
export const encryptionRing: RingName = { alg: 'RSA-OAEP-256', use: 'enc' }

/** The rings that the settings require. */
export const ringNames = ({ signingAlgorithms }: KeySettings): ReadonlyArray<RingName> => [
  ...signingAlgorithms.map((alg): RingName => ({ alg, use: 'sig' })),
  encryptionRing,
]
