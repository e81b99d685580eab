// The encryption of what is stored. Its keys stand outside of the store: in the process, or in a service that manages keys.
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'

/**
 * Supplied to a store when it is opened. Unavailable says that the keys cannot be used now, and nothing of the text: the store
 * hands it on as its own refusal. A store asks before its transactions and after them, and never within one; for each row that it reads
 * or writes it asks once.
 */
export type Encryption = {
  /** The text, sealed by the present key: it opens under the same context alone. */
  readonly seal: (plain: string, context: string) => TaskEither<Unavailable, string>
  /** None where no known key sealed this text under the context. */
  readonly open: (sealed: string, context: string) => TaskEither<Unavailable, Option<string>>
  /** Whether the present key sealed the text: every other one is to be sealed anew. */
  readonly isCurrent: (sealed: string) => TaskEither<Unavailable, boolean>
  /** Opens what SQLite's schema before version 5 sealed with the encryption key itself. */
  readonly openEarlier: (sealed: string, context: string) => TaskEither<Unavailable, Option<string>>
}
