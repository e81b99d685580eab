// The uses of clients, and what follows from their absence. Each verb is one atomic step; several instances may call it.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { TokenHash } from '../authorization/credential.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { ClientIdTaken, Unavailable, UnknownClient } from '../errors.js'
import type { ClientId } from '../client/client-id.js'
import type { DueParking, DueRemoval } from '../life-cycle/observed-days.js'
import type { ListedClient } from '../managing/listed-client.js'
import type { RegisteredClient, Registration } from '../registration/registered-client.js'

/** What is left of a removed client: the keyed digest of its client_id, for a limited time. */
export type Tombstone = { readonly id: TokenHash; readonly until: EpochSeconds }

/** A client that the service removed by itself, and kept aside. */
export type RemovedClient = { readonly client: ListedClient; readonly removed_at: EpochSeconds }

/** A page; `next` is the position for the page after it, left out on the last one. */
export type RemovedClients = { readonly clients: ReadonlyArray<RemovedClient>; readonly next?: number }

/** The number of tombstones that a store has at least room for; beyond it, the oldest are forgotten. */
export const minStoredTombstones = 100_000

export type ClientUse = Registration & {
  /** The UTC day of the last use; undefined before the first. */
  readonly last_use: EpochSeconds | undefined
  readonly parked: boolean
}

export type ClientUses = {
  /**
   * The client counts as used from then on, and the UTC day is stored, if no later one is: at most one write per client
   * and day, in which that day becomes an observed one. No effect if the registration has ended. An authorization and a
   * session record a use as well.
   */
  readonly recordUse: (registration: Registration, at: EpochSeconds) => TE.TaskEither<Unavailable, void>
  /** A use on the UTC day of this time would be recorded: it is an observed day from then on. */
  readonly observeDay: (at: EpochSeconds) => TE.TaskEither<Unavailable, void>
  /**
   * The observed days until that time, the latest first, with a maximum; those that are older than observedDaysKept
   * before the latest may be forgotten.
   */
  readonly observedDays: (until: EpochSeconds, max: number) => TE.TaskEither<Unavailable, ReadonlyArray<EpochSeconds>>
  /** Of the registered clients among the ids, in the order of the ids. */
  readonly findUses: (ids: ReadonlyArray<ClientId>) => TE.TaskEither<Unavailable, ReadonlyArray<ClientUse>>
  /** An open client that is neither used nor parked, by the digest of its registration. */
  readonly findUnused: (fingerprint: TokenHash) => TE.TaskEither<Unavailable, O.Option<RegisteredClient>>
  /**
   * Parks unused open clients that are due, except suspended ones, those that wait the longest first, with a maximum: the
   * limit of unused open clients does not count them any more. Parked ones with a longer notice, or with none, are parked
   * anew: their notice begins again. Returns the number of both. A client that another operation changes at the same time
   * may be left to the next pass.
   */
  readonly parkUnused: (due: DueParking, max: number) => TE.TaskEither<Unavailable, number>
  /**
   * The parked clients whose removal is due, those that wait the longest first, with a maximum. A suspended client is
   * never due, nor is one that an operator registered or an import brought.
   */
  readonly listParked: (due: DueRemoval, max: number) => TE.TaskEither<Unavailable, ReadonlyArray<Registration>>
  /** How many parked clients listParked would list, up to `max`. */
  readonly countParked: (due: DueRemoval, max: number) => TE.TaskEither<Unavailable, number>
  /**
   * Removes the client as removeClient does, if its removal is still due; whether it did. With a time, the client is kept
   * aside as it was, with its credentials, and can be restored.
   */
  readonly removeParked: (
    registration: Registration,
    due: DueRemoval,
    tombstone: Tombstone,
    removedAt: EpochSeconds | undefined,
    audit?: AuditRow,
  ) => TE.TaskEither<Unavailable, boolean>
  /** The clients that were kept aside after that time, in that order, after a position and with a maximum. */
  readonly listRemoved: (
    since: EpochSeconds,
    page: { readonly after: number; readonly max: number },
  ) => TE.TaskEither<Unavailable, RemovedClients>
  /**
   * Registers the client that was kept aside after that time again, in the same registration and version: unused, and
   * waiting since `at`. Its tombstone ends. No limit applies.
   */
  readonly restoreRemoved: (
    id: ClientId,
    restoring: { readonly since: EpochSeconds; readonly at: EpochSeconds; readonly tombstone: TokenHash | undefined },
    audit?: AuditRow,
  ) => TE.TaskEither<UnknownClient | ClientIdTaken | Unavailable, void>
  /** Forgets clients that were kept aside until that time, the earliest first, with a maximum. Returns their number. */
  readonly forgetRemoved: (until: EpochSeconds, max: number) => TE.TaskEither<Unavailable, number>
  /** Whether a client with this digest of its client_id was removed, and is not forgotten at the time. */
  readonly isRemembered: (id: TokenHash, at: EpochSeconds) => TE.TaskEither<Unavailable, boolean>
}
