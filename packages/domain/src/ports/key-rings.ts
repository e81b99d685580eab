// The key rings, one for each algorithm. A ring is read and replaced as a whole, on disk before the answer.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { KeyRing } from '../keys/key-ring.js'
import type { GeneratedKey } from '../keys/new-ring.js'
import type { ConfirmReads } from './confirm-reads.js'

/** Another operation replaced the ring that was read, or too much time has passed since the change was decided. */
export type KeyRingChanged = { readonly error: 'key_ring_changed' }
/** A ring cannot be decrypted or decoded; the usual cause is another encryption key. */
export type UnreadableKeyRing = { readonly error: 'unreadable_key_ring'; readonly alg: string }

export const keyRingChanged: KeyRingChanged = { error: 'key_ring_changed' }
export const unreadableKeyRing = (alg: string): UnreadableKeyRing => ({ error: 'unreadable_key_ring', alg })

/** A ring that replaces the version that was read, or the first ring of its name. */
export type KeyRingChange = { readonly next: KeyRing; readonly replacing: O.Option<KeyRing> }

/** The stored version of a ring. */
export type KeyRingVersion = { readonly alg: string; readonly use: string; readonly version: number }

export type KeyRings = ConfirmReads & {
  /**
   * The time by the store's clock, in whole seconds. All decisions on keys and their lease are by this time, so that the
   * clocks of the instances need not agree. It does not go back, except where that clock is set back.
   */
  readonly readStoreTime: TE.TaskEither<Unavailable, EpochSeconds>
  /** The versions of all rings. Instances poll them every few seconds; no ring is decrypted for it. */
  readonly readKeyRingVersions: TE.TaskEither<Unavailable, ReadonlyArray<KeyRingVersion>>
  /** All of them, or a failure if one cannot be read. */
  readonly readKeyRings: TE.TaskEither<UnreadableKeyRing | Unavailable, ReadonlyArray<KeyRing>>
  /**
   * Stores all changes, or none if one of the rings has another version than the one that was read, or if the store's time
   * is no longer `isInTime` after the one at which the changes were decided. The audit row is written with them.
   */
  readonly replaceKeyRings: (
    changes: ReadonlyArray<KeyRingChange>,
    decidedAt: EpochSeconds,
    audit?: AuditRow,
  ) => TE.TaskEither<KeyRingChanged | Unavailable, void>
}

export type KeyMaker = {
  /** A new key pair, named by its thumbprint (RFC 7638). */
  readonly makeKey: (alg: string) => TE.TaskEither<Unavailable, GeneratedKey>
}
