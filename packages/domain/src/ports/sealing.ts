// The encryption of what is stored. Its keys stand outside of the store.
import type { Option } from 'fp-ts/lib/Option.js'

/** Supplied by whoever opens the store: a text that is sealed under a context opens only under the same context. */
export type Sealing = {
  readonly seal: (plain: string, context: string) => string
  readonly open: (sealed: string, context: string) => Option<string>
  /** Whether the text was sealed with the key that seals now: all others are to be sealed anew. */
  readonly isCurrent: (sealed: string) => boolean
  /** Opens a text of the schema before version 5, when values were sealed with the encryption key itself. */
  readonly openEarlier: (sealed: string, context: string) => Option<string>
}
