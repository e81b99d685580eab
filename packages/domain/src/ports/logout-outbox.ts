// The notices that are still owed: written in the step that ended the session, and kept until they are delivered.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type * as T from 'fp-ts/lib/Task.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { DeliveryResult, TriedNotice } from '../logout/delivery.js'
import type { OutboxEntry } from '../logout/logout-notice.js'

export type LogoutOutbox = {
  /** Those that are due at the time and have not failed, the longest due first. */
  readonly dueNotices: (at: EpochSeconds, most: number) => TE.TaskEither<Unavailable, ReadonlyArray<OutboxEntry>>
  /** When the next one is due, of those that have not failed. */
  readonly nextDue: TE.TaskEither<Unavailable, O.Option<EpochSeconds>>
  /** Removes what was delivered, and keeps what became of the others; one that is gone meanwhile is passed over. */
  readonly recordTries: (tries: ReadonlyArray<TriedNotice>) => TE.TaskEither<Unavailable, void>
  /** The oldest first. */
  readonly listNotices: (most: number) => TE.TaskEither<Unavailable, ReadonlyArray<OutboxEntry>>
  /** Those that have failed, or the one of them that is named, are due at the time, as if never tried. Tells how many. */
  readonly retryNotices: (id: O.Option<string>, at: EpochSeconds) => TE.TaskEither<Unavailable, number>
  /** Gives up on those from before the time for good. Tells how many. */
  readonly forgetNotices: (before: EpochSeconds) => TE.TaskEither<Unavailable, number>
}

export type LogoutSender = {
  /** Back-Channel Logout §2.5: posts the logout token, and tells what came back. */
  readonly sendLogoutToken: (uri: string, logoutToken: string) => T.Task<DeliveryResult>
}
