// Who is signed in, in which browser. The store gives back sessions that are over as well: whether one is live is decided here.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { EndUserSession } from '../sessions/end-user-session.js'

/** Somebody else replaced or ended the session that was read. */
export type SessionChanged = { readonly error: 'session_changed' }
export const sessionChanged: SessionChanged = { error: 'session_changed' }

export type EndUserSessions = {
  /**
   * Keeps the session, to be found by the hash of its cookie; its clients count as used from then on. Sessions that were over at
   * the time (endOf) may be forgotten, at most maxForgotten of them, and what they granted is revoked with them.
   */
  readonly addSession: (
    session: EndUserSession,
    cookie: TokenHash,
    at: EpochSeconds,
  ) => TE.TaskEither<Unavailable, void>
  readonly findSession: (cookie: TokenHash) => TE.TaskEither<Unavailable, O.Option<EndUserSession>>
  readonly findSessionById: (sid: string) => TE.TaskEither<Unavailable, O.Option<EndUserSession>>
  /** All of an end-user's, the oldest first. */
  readonly listSessions: (sub: string) => TE.TaskEither<Unavailable, ReadonlyArray<EndUserSession>>
  /**
   * Succeeds only against the very version that was read. Clients that are not registered any more drop out of it; the others
   * count as used from then on.
   */
  readonly replaceSession: (
    next: EndUserSession,
    replacing: EndUserSession,
  ) => TE.TaskEither<SessionChanged | Unavailable, void>
}
