// The end of sessions: one step, on disk before it answers.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/credential.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { LogoutNotification } from '../logout/logout-notification.js'
import type { NotificationLimits } from '../logout/logout-policy.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { SessionChanged } from './end-user-sessions.js'

/** The ended session in the version that was read, and what is written with its end. */
export type EndedSession = {
  readonly session: EndUserSession
  readonly notifications: ReadonlyArray<LogoutNotification>
  readonly notificationLimits: NotificationLimits
  /**
   * Whether authorizations of the session for offline access are revoked as well; its other authorizations always are.
   */
  readonly revokesOfflineAccess: boolean
  /** The confirmation page by which the end-user ended the session; left out where the operator ended it. */
  readonly by?: EndingConfirmation
}

/** Stored until it expires, so that the page ends no other session; one for each session that ends. */
export type EndingConfirmation = {
  readonly confirmation: TokenHash
  readonly answered_at: EpochSeconds
  readonly expires_at: EpochSeconds
}

/** The number of older notifications that were removed because of the limits. */
export type WrittenNotifications = { readonly gaveWay: number }

export type SessionTermination = {
  /**
   * Ends the session and writes all that belongs to its end, or neither; refused if the stored version is not the one
   * that was read. Notifications to clients of which the registration has ended are left out. Confirmation pages that had
   * expired at the time of this answer may be removed. The audit row is written with the end.
   */
  readonly endSession: (
    ended: EndedSession,
    audit?: AuditRow,
  ) => TE.TaskEither<SessionChanged | Unavailable, WrittenNotifications>
  /** Whether an answer to the confirmation page has ended a session. */
  readonly hasEnded: (confirmation: TokenHash) => TE.TaskEither<Unavailable, boolean>
}
