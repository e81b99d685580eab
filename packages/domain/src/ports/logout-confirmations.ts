// The value in the form of a logout confirmation page: sealed, so that the browser can neither read nor change it.
import type * as O from 'fp-ts/lib/Option.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { OfferedConfirmation } from '../logout/logout-confirmation.js'

export type LogoutConfirmations = {
  readonly sealConfirmation: (confirmation: OfferedConfirmation) => T.Task<string>
  /** None for any text that this service did not seal. */
  readonly openConfirmation: (value: string) => T.Task<O.Option<OfferedConfirmation>>
}
