// The value of a dialog's form: sealed, so that the browser keeps what it was shown and can neither read nor change it.
import type * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { OfferedDialog } from '../logout/logout-dialog.js'

export type LogoutDialogs = {
  readonly sealDialog: (dialog: OfferedDialog) => T.Task<string>
  /** Nothing for whatever was not sealed here, and for any text at all. */
  readonly openDialog: (value: string) => T.Task<O.Option<OfferedDialog>>
}
