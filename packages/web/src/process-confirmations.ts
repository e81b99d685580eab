import type { EpochSeconds } from '@clientele/domain/kernel'
import type { LogoutConfirmations } from '@clientele/domain/ports'
import { createSealedConfirmations, webConfirmationCiphers } from '@clientele/adapters-jose'

/** Sealed with a key of this process, generated for the first confirmation page. */
export const processConfirmations = (now: () => EpochSeconds): LogoutConfirmations => {
  let key: Uint8Array<ArrayBuffer> | undefined
  return createSealedConfirmations(
    webConfirmationCiphers(() => (key ??= crypto.getRandomValues(new Uint8Array(32)))),
    now,
  )
}
