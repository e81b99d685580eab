import { asymmetricAlgorithm } from '../client/algorithms.js'
import type { KeyPolicy } from './key-policy.js'
import type { KeyUse } from './key-ring.js'

/** What the operator decides about keys. */
export type KeySettings = {
  readonly policy: KeyPolicy
  /** One ring each. */
  readonly signingAlgorithms: ReadonlyArray<string>
}

export type RingName = { readonly alg: string; readonly use: KeyUse }

/** What a ring can sign with. */
export const signingAlgorithms: ReadonlyArray<string> = asymmetricAlgorithm.values

/** RFC 7518 §4.3: the one key that others encrypt to, for request objects and ID token hints. */
export const encryptionRing: RingName = { alg: 'RSA-OAEP-256', use: 'enc' }

/** The rings that there must be. */
export const ringNames = ({ signingAlgorithms }: KeySettings): ReadonlyArray<RingName> => [
  ...signingAlgorithms.map((alg): RingName => ({ alg, use: 'sig' })),
  encryptionRing,
]
