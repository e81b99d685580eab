import type { EpochSeconds, LogoutDialogs } from '@clientele/domain'
import { createSealedDialogs, webDialogCiphers } from '@clientele/adapters-jose'

/** Sealed with a key that only this process has, and that is drawn for the first dialog. */
export const processDialogs = (now: () => EpochSeconds): LogoutDialogs => {
  let key: Uint8Array<ArrayBuffer> | undefined
  return createSealedDialogs(
    webDialogCiphers(() => (key ??= crypto.getRandomValues(new Uint8Array(32)))),
    now,
  )
}
