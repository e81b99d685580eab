// The encryption keys of this process, which a change of the key replaces while it runs.
import type { ConfirmationCipher, ConfirmationCiphers } from '@clientele/adapters-jose'
import { createEncryption, nodeConfirmationCiphers } from '@clientele/adapters-jose/node'
import type { Encryption } from '@clientele/domain'
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

type Held = {
  readonly keys: ReadonlyArray<Buffer>
  readonly encryption: Encryption
  readonly ciphers: ConfirmationCiphers
}

const held = (first: Buffer, others: ReadonlyArray<Buffer>): Held => ({
  keys: [first, ...others],
  encryption: createEncryption(first, others),
  ciphers: nodeConfirmationCiphers(first, others),
})

const cipherOf =
  (present: () => Held): ConfirmationCiphers =>
  (purpose) => {
    let made: { readonly by: Held; readonly cipher: ConfirmationCipher } | undefined
    const cipher = (): ConfirmationCipher => {
      const by = present()
      if (made?.by !== by) made = { by, cipher: by.ciphers(purpose) }
      return made.cipher
    }
    return {
      encrypt: (plain, associatedData) => () => cipher().encrypt(plain, associatedData)(),
      decrypt: (payload, associatedData) => () => cipher().decrypt(payload, associatedData)(),
    }
  }

/** Undefined without a key. */
export const createKeyHolder = ([first, ...others]: ReadonlyArray<Buffer>): KeyHolder | undefined => {
  if (first === undefined) return undefined
  let present = held(first, others)
  return {
    encryption: {
      seal: (plain, context) => () => present.encryption.seal(plain, context)(),
      open: (sealed, context) => () => present.encryption.open(sealed, context)(),
      isCurrent: (sealed) => () => present.encryption.isCurrent(sealed)(),
      openEarlier: (sealed, context) => () => present.encryption.openEarlier(sealed, context)(),
    },
    ciphers: cipherOf(() => present),
    keys: () => present.keys,
    replaceKeys: (next, earlier) => {
      present = held(next, earlier)
    },
  }
}
