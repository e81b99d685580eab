import type { ForeignKey, KeyRing } from '@clientele/domain'
import type * as T from 'fp-ts/lib/Task.js'

/** The keys that this instance publishes, with the private halves of its own. */
export type KeySource = {
  readonly keyRings: () => ReadonlyArray<KeyRing>
  /** The keys of other signers: the ID tokens of the provider beside this service are hints, too. */
  readonly foreignKeys: () => ReadonlyArray<ForeignKey>
  /** Reads anew what is stored, at most once a second: another instance may have published the key that is unknown here. */
  readonly refreshKeys: T.Task<void>
}

/** Done at once where the key is known, and else when the keys have been read anew. */
export const refreshUnless = ({ refreshKeys }: Pick<KeySource, 'refreshKeys'>, isKnown: boolean): T.Task<void> =>
  isKnown ? () => Promise.resolve() : refreshKeys
