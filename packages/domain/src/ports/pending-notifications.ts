// The pending logout notifications: written in the step that ended the session, and stored until they are delivered.
// Each instance claims those that it attempts.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { AuditRow } from '../audit/audit-entry.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { DeliveryResult, AttemptedNotification } from '../logout/delivery.js'
import type { PendingNotification } from '../logout/logout-notification.js'

export type NotificationClaim = {
  /** The claiming instance. */
  readonly holder: string
  /** The end of the claim. */
  readonly until: EpochSeconds
}

export type PendingNotifications = {
  /**
   * Claims notifications that are due at the time and have not failed, the longest due first. A receiver has one holder
   * at a time: until a claim ends, no other holder gets a notification to the same receiver. The holder can claim its
   * own notifications again, with the new end.
   */
  readonly claimDue: (
    at: EpochSeconds,
    claim: NotificationClaim,
    max: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<PendingNotification>>
  /**
   * The time at which the holder has to claim again: the next due time of a notification that has not failed and whose
   * receiver no other holder has claimed, or the end of a claim of another holder.
   */
  readonly nextDue: (at: EpochSeconds, holder: string) => TE.TaskEither<Unavailable, O.Option<EpochSeconds>>
  /**
   * Removes delivered notifications, stores the result of the others, and ends the claim on each. Removed notifications
   * and those that the holder does not claim are skipped; an ended claim counts until another holder has claimed the
   * notification.
   */
  readonly recordTries: (
    holder: string,
    tries: ReadonlyArray<AttemptedNotification>,
  ) => TE.TaskEither<Unavailable, void>
  /** The oldest first, claimed or not. */
  readonly listNotifications: (max: number) => TE.TaskEither<Unavailable, ReadonlyArray<PendingNotification>>
  /**
   * Makes the failed notifications, or the named one, due at the time, as if never attempted. Returns their number.
   * None of them is claimed, because the failed attempt ended the claim. The audit row is written if there are any.
   */
  readonly retryNotifications: (
    id: O.Option<string>,
    at: EpochSeconds,
    audit?: AuditRow,
  ) => TE.TaskEither<Unavailable, number>
  /** Removes the notifications from before the time, claimed or not. Returns their number. */
  readonly purgeNotifications: (before: EpochSeconds) => TE.TaskEither<Unavailable, number>
}

export type LogoutSender = {
  /** Back-Channel Logout §2.5: posts the logout token and returns the result, within a time limit of its own. */
  readonly sendLogoutToken: (uri: string, logoutToken: string) => T.Task<DeliveryResult>
}
