import type { ConfirmationCiphers } from '@clientele/adapters-jose'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as T from 'fp-ts/lib/Task.js'
import { type KeyObject, createSecretKey } from 'node:crypto'
import { decrypt, encrypt } from './encryption.js'
import { keyOfPurpose } from './key-of-purpose.js'

/** By Node, synchronously: WebCrypto uses another thread, and takes longer for such short texts. */
export const nodeConfirmationCiphers =
  (first: Buffer, others: ReadonlyArray<Buffer>): ConfirmationCiphers =>
  (purpose) => {
    const derived = (key: Buffer): KeyObject => createSecretKey(keyOfPurpose(key, purpose))
    const sealing = derived(first)
    const opening = others.map(derived)
    return {
      encrypt: (plain, associatedData) => T.fromIO(() => encrypt(sealing, plain, associatedData)),
      decrypt: (payload, associatedData) =>
        T.fromIO(() =>
          RA.findFirstMap((key: KeyObject) => decrypt(key, payload, associatedData))([sealing, ...opening]),
        ),
    }
  }
