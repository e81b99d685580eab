import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../../codec/epoch-seconds.js'
import type { Unavailable } from '../../errors.js'
import type { AuditRow } from '../../audit/audit-entry.js'
import { changedKids } from '../../keys/changed-kids.js'
import type { KeyRing } from '../../keys/key-ring.js'
import type { KeyRingChange, KeyRingChanged, KeyRings } from '../../ports/key-rings.js'

/** A ring to store, and the ring that was read, if there was one. */
export type NextRing = { readonly next: KeyRing; readonly ring: KeyRing | undefined }

const numbered = ({ next, ring }: NextRing): KeyRing =>
  next === ring ? ring : { ...next, version: (ring?.version ?? 0) + 1 }

const changeOf = ({ next, ring }: NextRing): ReadonlyArray<KeyRingChange> =>
  next === ring ? [] : [{ next: numbered({ next, ring }), replacing: O.fromNullable(ring) }]

/** The row of a change of these keys; left out where there is no audit log. */
export type AuditKeys = { readonly auditKeys?: (at: EpochSeconds, kids: ReadonlyArray<string>) => AuditRow | undefined }

export type StoreKeyRingsPorts = Pick<KeyRings, 'replaceKeyRings'> & AuditKeys

/** Replaces the rings that were changed by a decision at the time, and returns all; unchanged rings are not written. */
export const storeKeyRings =
  ({ replaceKeyRings, auditKeys }: StoreKeyRingsPorts, decidedAt: EpochSeconds) =>
  (rings: ReadonlyArray<NextRing>): TE.TaskEither<KeyRingChanged | Unavailable, ReadonlyArray<KeyRing>> => {
    const changes = rings.flatMap(changeOf)
    const stored = rings.map(numbered)
    if (changes.length === 0) return TE.right(stored)
    const kids = changes.flatMap(({ next, replacing }) => changedKids(O.toUndefined(replacing), next))
    return pipe(
      replaceKeyRings(changes, decidedAt, auditKeys?.(decidedAt, kids)),
      TE.map(() => stored),
    )
  }
