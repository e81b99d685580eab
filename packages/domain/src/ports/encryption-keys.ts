// The encryption keys of a running service: the first one seals, all decrypt. No operation shows a key.
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { InvalidRequest, Unavailable } from '../errors.js'
import type { EncryptionKeyFingerprints } from '../instances/permit-instance.js'

export type EncryptionKeyList = EncryptionKeyFingerprints & {
  /** In the file of the data directory, which the service changes; or in the settings, which the operator changes. */
  readonly kept_in: 'file' | 'settings'
  /** The number of sealed values in the store. */
  readonly values: number
  /** The ids of running instances that seal with another key than the first one. */
  readonly sealing_otherwise: ReadonlyArray<string>
}

export type EncryptionKeys = {
  readonly listEncryptionKeys: TaskEither<Unavailable, EncryptionKeyList>
  /**
   * Makes a key that seals from then on; the others still decrypt. No effect where there are several keys: their change
   * is to be completed first. Refused for keys of the settings.
   */
  readonly addEncryptionKey: TaskEither<InvalidRequest | Unavailable, EncryptionKeyList>
  /** Removes all keys but the first. Refused for keys of the settings, and while a value is sealed with another one. */
  readonly dropEncryptionKeys: TaskEither<InvalidRequest | Unavailable, EncryptionKeyList>
}
