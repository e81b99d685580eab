import type { ForeignKey, KeyRing, LastRead } from '@clientele/domain/keys'
import type * as T from 'fp-ts/lib/Task.js'

/** The keys that this instance publishes, with the private halves of its own keys. */
export type KeySource = {
  readonly keyRings: () => ReadonlyArray<KeyRing>
  /** The keys of other signers: ID tokens of the provider beside this service are hints as well. */
  readonly foreignKeys: () => ReadonlyArray<ForeignKey>
  /** The last read of these keys from the store. */
  readonly lastRead: () => LastRead
  /** Reads the stored keys, at most once a second: another instance may have published a key that is unknown here. */
  readonly refreshKeys: T.Task<void>
}

/** Completes at once for a known key, otherwise after the stored keys were read. */
export const refreshUnless = ({ refreshKeys }: Pick<KeySource, 'refreshKeys'>, isKnown: boolean): T.Task<void> =>
  isKnown ? () => Promise.resolve() : refreshKeys
