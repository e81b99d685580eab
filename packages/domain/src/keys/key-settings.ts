import { asymmetricAlgorithm } from '../client/algorithms.js'
import type { KeyUse } from './key-ring.js'

/** The times of the key rotation, in whole seconds. */
export type KeyPolicy = {
  /** The time for which a key signs before its successor does. */
  readonly lifetime: number
  /** The time for which a key is published before it signs: at least twice maxAge. */
  readonly publishAhead: number
  /** The time for which a key is published after its last signature, and the maximum lifetime of a signature. */
  readonly retention: number
  /** The maximum time for which a verifier may cache the set. */
  readonly maxAge: number
}

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
