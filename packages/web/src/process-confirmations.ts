import type { EpochSeconds, LogoutConfirmations } from '@clientele/domain'
import { createSealedConfirmations, webConfirmationCiphers } from '@clientele/adapters-jose'

/** Sealed with a key that only this process has, and that is drawn for the first dialog. */
export const processConfirmations = (now: () => EpochSeconds): LogoutConfirmations => {
  let key: Uint8Array<ArrayBuffer> | undefined
  return createSealedConfirmations(
    webConfirmationCiphers(() => (key ??= crypto.getRandomValues(new Uint8Array(32)))),
    now,
  )
}
