// The notifications that are still owed: written in the step that ended the session, and stored until they are delivered. Each
// instance of a service claims those that it tries.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { DeliveryResult, TriedNotice } from '../logout/delivery.js'
import type { OutboxEntry } from '../logout/logout-notice.js'

export type NotificationClaim = {
  /** The instance that claims. */
  readonly holder: string
  /** At this time the claim has ended. */
  readonly until: EpochSeconds
}

export type LogoutOutbox = {
  /**
   * Claims those that are due at the time and have not failed, the longest due first. A receiver has one holder at a time: until
   * the claim on a notification ends, no other holder gets a notification of the same receiver. The holder gets its own again,
   * with the new end.
   */
  readonly claimDue: (
    at: EpochSeconds,
    claim: NotificationClaim,
    max: number,
  ) => TE.TaskEither<Unavailable, ReadonlyArray<OutboxEntry>>
  /**
   * When the holder has to ask again: when the next one is due, of those that have not failed and whose receiver no other holder
   * has claimed, or when a claim of another holder ends.
   */
  readonly nextDue: (at: EpochSeconds, holder: string) => TE.TaskEither<Unavailable, O.Option<EpochSeconds>>
  /**
   * Removes what was delivered, stores what became of the others, and ends the claim on each. One that is gone is passed over, as
   * is one that the holder does not claim; a claim that has ended counts until another holder has claimed the notification.
   */
  readonly recordTries: (holder: string, tries: ReadonlyArray<TriedNotice>) => TE.TaskEither<Unavailable, void>
  /** The oldest first, claimed or not. */
  readonly listNotices: (max: number) => TE.TaskEither<Unavailable, ReadonlyArray<OutboxEntry>>
  /**
   * Those that have failed, or the one of them that is named, are due at the time, as if never tried. Tells how many. None of
   * them is claimed, because the try that failed ended the claim.
   */
  readonly retryNotices: (id: O.Option<string>, at: EpochSeconds) => TE.TaskEither<Unavailable, number>
  /** Gives up on those from before the time for good, claimed or not. Tells how many. */
  readonly forgetNotices: (before: EpochSeconds) => TE.TaskEither<Unavailable, number>
}

export type LogoutSender = {
  /** Back-Channel Logout §2.5: posts the logout token, and tells what came back. It ends within a time limit of its own. */
  readonly sendLogoutToken: (uri: string, logoutToken: string) => T.Task<DeliveryResult>
}
