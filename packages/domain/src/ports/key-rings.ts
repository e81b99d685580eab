// The key rings, one for each algorithm. They are read and replaced as a whole, on disk before it answers.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { FreshKey } from '../keys/new-ring.js'

/** Somebody else replaced the ring that was read. */
export type KeyRingChanged = { readonly error: 'key_ring_changed' }
/** A ring cannot be opened or read; another encryption key is the likely cause. */
export type UnreadableKeyRing = { readonly error: 'unreadable_key_ring'; readonly alg: string }

export const keyRingChanged: KeyRingChanged = { error: 'key_ring_changed' }
export const unreadableKeyRing = (alg: string): UnreadableKeyRing => ({ error: 'unreadable_key_ring', alg })

/** A ring as it should be, in place of the very version that was read, or as the first of its name. */
export type KeyRingChange = { readonly next: KeyRing; readonly replacing: O.Option<KeyRing> }

/** Which version of a ring is stored. */
export type KeyRingVersion = { readonly alg: string; readonly use: string; readonly version: number }

export type KeyRings = {
  /** The versions of all rings. Instances ask every few seconds, so that no ring is opened for it. */
  readonly readKeyRingVersions: TE.TaskEither<Unavailable, ReadonlyArray<KeyRingVersion>>
  /** All of them, or none when one cannot be read. */
  readonly readKeyRings: TE.TaskEither<UnreadableKeyRing | Unavailable, ReadonlyArray<KeyRing>>
  /** Stores all of the changes, or none when one of the rings is not what was read any more. */
  readonly replaceKeyRings: (changes: ReadonlyArray<KeyRingChange>) => TE.TaskEither<KeyRingChanged | Unavailable, void>
}

export type KeyMaker = {
  /** A new key pair, named by its thumbprint (RFC 7638). */
  readonly makeKey: (alg: string) => TE.TaskEither<Unavailable, FreshKey>
}
