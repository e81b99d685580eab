import type { EpochSeconds, LogoutDialogs, OfferedDialog } from '@clientele/domain'
import * as O from 'fp-ts/lib/Option.js'

// Anybody may ask for dialogs, and there is no end to them.
const mostKept = 10_000

type Ports = { readonly now: () => EpochSeconds; readonly identifier: () => string }

/** Kept here under values that nobody could guess, until they expire or too many have come after them. */
export const keptDialogs = ({ now, identifier }: Ports): LogoutDialogs => {
  const dialogs = new Map<string, OfferedDialog>()
  const forgetOld = (at: EpochSeconds): void => {
    for (const [value, { expires_at }] of dialogs) {
      if (expires_at > at && dialogs.size < mostKept) return
      dialogs.delete(value)
    }
  }
  return {
    sealDialog: (dialog) => () => {
      forgetOld(now())
      const value = identifier()
      dialogs.set(value, dialog)
      return value
    },
    openDialog: (value) => () => O.fromNullable(dialogs.get(value)),
  }
}
