// What a store has, counted for metrics: in steps, so that none takes long, and up to a maximum.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { LifeCycleFacts } from '../life-cycle/client-state.js'

/** What the state of a client follows from. */
export type CountedClient = LifeCycleFacts & { readonly last_use: EpochSeconds | undefined }

/** A step through the clients; `next` is the position for the step after it, left out after the last one. */
export type CountedClients = { readonly clients: ReadonlyArray<CountedClient>; readonly next?: number }

export type StoredCounts = {
  /** In force at the time. */
  readonly initialAccessTokens: number
  /** Not over at the time. */
  readonly endUserSessions: number
  readonly notifications: { readonly waiting: number; readonly failed: number }
  /** When the oldest notification was written; undefined where there is none. */
  readonly oldestNotification: EpochSeconds | undefined
  /** Octets on disk: of the database, and of its log where that is a file beside it. Empty in memory. */
  readonly size: { readonly database?: number; readonly log?: number }
}

export type Census = {
  /** At most `max` clients after the position, in the order of registration; the first position is 0. */
  readonly countClients: (after: number, max: number) => TE.TaskEither<Unavailable, CountedClients>
  /** Each number up to `max`. */
  readonly countOthers: (at: EpochSeconds, max: number) => TE.TaskEither<Unavailable, StoredCounts>
}
