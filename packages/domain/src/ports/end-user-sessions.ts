// The sessions of end-users by browser. The store also returns sessions that are over: the domain decides whether one
// is live.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { EndUserSession } from '../sessions/end-user-session.js'

/** Another operation replaced or ended the session that was read. */
export type SessionChanged = { readonly error: 'session_changed' }
export const sessionChanged: SessionChanged = { error: 'session_changed' }

export type EndUserSessions = {
  /**
   * Stores the session, to be found by the hash of its cookie; its clients count as used from then on. Sessions that
   * were over at the time (sessionEnd) may be removed, at most maxForgotten of them, and their authorizations are revoked.
   * The audit row is written with the session.
   */
  readonly addSession: (
    session: EndUserSession,
    cookie: TokenHash,
    at: EpochSeconds,
    audit?: AuditRow,
  ) => TE.TaskEither<Unavailable, void>
  readonly findSession: (cookie: TokenHash) => TE.TaskEither<Unavailable, O.Option<EndUserSession>>
  readonly findSessionById: (sid: string) => TE.TaskEither<Unavailable, O.Option<EndUserSession>>
  /** All sessions of an end-user, the oldest first. */
  readonly listSessions: (sub: string) => TE.TaskEither<Unavailable, ReadonlyArray<EndUserSession>>
  /**
   * Succeeds only if the stored version is the one that was read. Clients of which the registration has ended are left
   * out of it, also if their client_id is registered again; the others count as used from then on.
   * The audit row is written on success.
   */
  readonly replaceSession: (
    next: EndUserSession,
    replacing: EndUserSession,
    audit?: AuditRow,
  ) => TE.TaskEither<SessionChanged | Unavailable, void>
}
