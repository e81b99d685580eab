// The encryption of stored values. Its keys are outside of the store: in the process, or in a key management service.
import type { Option } from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'

/**
 * Supplied to a store when it is opened. Unavailable means that the keys cannot be used now; the store returns it as
 * its own refusal. A store calls it before and after transactions, never within one, and once for each row that it
 * reads or writes.
 */
export type Encryption = {
  /** Encrypts the text by the present key; it can be decrypted only with the same context. */
  readonly seal: (plain: string, context: string) => TaskEither<Unavailable, string>
  /** None if no known key sealed the text with this context. */
  readonly open: (sealed: string, context: string) => TaskEither<Unavailable, Option<string>>
  /** Whether the present key sealed the text; otherwise it is to be sealed anew. */
  readonly isCurrent: (sealed: string) => TaskEither<Unavailable, boolean>
}
