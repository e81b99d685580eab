// The encryption keys of this process, which a change of the key replaces while it runs.
import type { ConfirmationCiphers } from '@clientele/adapters-jose'
import {
  type ReplaceableKeys,
  type StorageKeys,
  confirmationCiphersBy,
  encryptionBy,
  storageKeys,
} from '@clientele/adapters-jose/node'
import type { Encryption } from '@clientele/domain/ports'
import { randomBytes } from 'node:crypto'

export type KeyHolder = {
  /** By the keys of the time at which a task runs. */
  readonly encryption: Encryption
  readonly ciphers: ConfirmationCiphers
  readonly keys: () => ReadonlyArray<Buffer>
  /** From now on the first key seals, and all decrypt. */
  readonly replaceKeys: (first: Buffer, others: ReadonlyArray<Buffer>) => void
}

export const newEncryptionKey = (): string => randomBytes(32).toString('base64url')

type Present = { keys: ReplaceableKeys['keys']; storage: StorageKeys }

/** Undefined without a key. */
export const createKeyHolder = ([first, ...others]: ReadonlyArray<Buffer>): KeyHolder | undefined => {
  if (first === undefined) return undefined
  const present: Present = { keys: [first, ...others], storage: storageKeys(first, others) }
  return {
    encryption: encryptionBy(present),
    ciphers: confirmationCiphersBy(present),
    keys: () => present.keys,
    replaceKeys: (next, earlier) => {
      present.storage = storageKeys(next, earlier)
      present.keys = [next, ...earlier]
    },
  }
}
