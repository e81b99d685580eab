// Events for an OpenID provider beside the registry, from all instances. The store writes an event in the step that
// causes it.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Unavailable } from '../errors.js'

/** RFC 7592 §2.3: a client was deleted. Back-Channel Logout §2: the end-user or the operator ended a session. */
export type ProviderEvent =
  | { readonly event: 'client_deleted'; readonly client_id: string; readonly registration_id: string }
  | { readonly event: 'session_ended'; readonly sid: string }

/** An event with its position in the order of all events; positions increase. */
export type StoredProviderEvent = { readonly position: number; readonly event: ProviderEvent }

/** A page of events. Unreadable events are left out. */
export type ProviderEventPage = {
  readonly events: ReadonlyArray<StoredProviderEvent>
  /** The position from which the next page is read. */
  readonly position: number
  /** Whether events between the reader's position and this page are no longer stored. */
  readonly forgotten: boolean
}

/** The minimum number of latest events that are stored. */
export const minStoredEvents = 10_000

export type ProviderEvents = {
  /** The position of the latest event; 0 without events. */
  readonly latestPosition: TE.TaskEither<Unavailable, number>
  /** The events after the position, the oldest first, at most `max`. */
  readonly listEvents: (position: number, max: number) => TE.TaskEither<Unavailable, ProviderEventPage>
}
