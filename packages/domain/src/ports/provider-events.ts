// What an OpenID provider beside the registry has to be told of, whichever instance did it. The store writes an event in the step
// that it tells of.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'

/** RFC 7592 §2.3: a client was deleted. Back-Channel Logout §2: a session ended, by the end-user or by the operator. */
export type ProviderEvent =
  | { readonly event: 'client_deleted'; readonly client_id: string }
  | { readonly event: 'session_ended'; readonly sid: string }

/** An event with its place in the order of all events, which grows. */
export type StoredProviderEvent = { readonly position: number; readonly event: ProviderEvent }

/** What one reading finds, and the position after which the next one reads; some may be passed over, because no key opens them. */
export type ProviderEventPage = { readonly events: ReadonlyArray<StoredProviderEvent>; readonly position: number }

/** At least so many of the latest events are stored. */
export const minStoredEvents = 10_000

export type ProviderEvents = {
  /** The position of the latest event; 0 before the first one. */
  readonly latestPosition: TE.TaskEither<Unavailable, number>
  /** Those after the position, the oldest first, so many at most. */
  readonly listEvents: (position: number, max: number) => TE.TaskEither<Unavailable, ProviderEventPage>
}
