import type { ConfirmationCiphers } from '@clientele/adapters-jose'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import { type KeyObject, createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from './encryption.js'
import { keyOfPurpose } from './key-of-purpose.js'

/** Encryption keys, the first of which seals; they may be replaced. */
export type ReplaceableKeys = { readonly keys: readonly [Buffer, ...ReadonlyArray<Buffer>] }

type Derived = {
  readonly of: ReplaceableKeys['keys']
  readonly sealing: KeyObject
  readonly opening: ReadonlyArray<KeyObject>
}

/** By Node, synchronously: WebCrypto uses another thread, and takes longer for such short texts. */
export const confirmationCiphersBy =
  (replaceable: ReplaceableKeys): ConfirmationCiphers =>
  (purpose) => {
    const derived = (key: Buffer): KeyObject => createSecretKey(keyOfPurpose(key, purpose))
    const derive = ([first, ...others]: ReplaceableKeys['keys']): Derived => ({
      of: replaceable.keys,
      sealing: derived(first),
      opening: others.map(derived),
    })
    let known = derive(replaceable.keys)
    const present = (): Derived => {
      if (known.of !== replaceable.keys) known = derive(replaceable.keys)
      return known
    }
    return {
      encrypt: (plain, associatedData) => T.fromIO(() => encrypt(present().sealing, plain, associatedData)),
      decrypt: (payload, associatedData) =>
        T.fromIO(() => {
          const { sealing, opening } = present()
          return RA.findFirstMap((key: KeyObject) => decrypt(key, payload, associatedData))([sealing, ...opening])
        }),
    }
  }

/** The same with keys that do not change. */
export const nodeConfirmationCiphers = (first: Buffer, others: ReadonlyArray<Buffer>): ConfirmationCiphers =>
  confirmationCiphersBy({ keys: [first, ...others] })
