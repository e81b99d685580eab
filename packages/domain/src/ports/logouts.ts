// The end of sessions: one step, on disk before it answers.
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { LogoutNotice } from '../logout/logout-notice.js'
import type { NoticeLimits } from '../logout/notice-limits.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { SessionChanged } from './end-user-sessions.js'

/** A session that ends, in the very version that was read, and what goes with it. */
export type EndedSession = {
  readonly session: EndUserSession
  readonly notices: ReadonlyArray<LogoutNotice>
  readonly noticeLimits: NoticeLimits
  /** Whether grants for offline access, that the session gave, go as well; all others of the session do. */
  readonly revokesOfflineAccess: boolean
  /** The dialog by which the end-user ended it; left out where the operator did. */
  readonly by?: EndingDialog
}

/** Remembered with the end until it expires, so that it ends no other session; one for each session that ends. */
export type EndingDialog = {
  readonly dialog: TokenHash
  readonly answered_at: EpochSeconds
  readonly expires_at: EpochSeconds
}

/** How many notices that were owed before are not any more, because there were too many. */
export type WrittenNotices = { readonly gaveWay: number }

export type Logouts = {
  /**
   * Ends the session with all that goes with it, both or neither; refused where it is not the version that was read. Dialogs
   * that had expired when this one was answered may be forgotten.
   */
  readonly endSession: (ended: EndedSession) => TE.TaskEither<SessionChanged | Unavailable, WrittenNotices>
  /** Whether an answer to the dialog ended a session. */
  readonly hasEnded: (dialog: TokenHash) => TE.TaskEither<Unavailable, boolean>
}
