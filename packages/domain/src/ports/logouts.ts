// The end of sessions: each is one step, on disk before it answers.
import type * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import type { LogoutAnswer } from '../logout/logout-dialog.js'
import type { LogoutNotice } from '../logout/logout-notice.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import type { SessionChanged } from './end-user-sessions.js'

/** A session that ends, in the very version that was read, and what goes with it. */
export type EndedSession = {
  readonly session: EndUserSession
  readonly notices: ReadonlyArray<LogoutNotice>
  /** Whether grants for offline access, that the session gave, go as well; all others of the session do. */
  readonly revokesOfflineAccess: boolean
}

export type AnsweredDialog = {
  /** The id of the dialog. */
  readonly dialog: TokenHash
  readonly answer: LogoutAnswer
  /** Until when it must be remembered that the dialog was answered. */
  readonly rememberedUntil: EpochSeconds
  readonly ends: O.Option<EndedSession>
}

/** The answer that holds, and whether it is this one. */
export type HeldAnswer = { readonly answer: LogoutAnswer; readonly isFirst: boolean }

export type Logouts = {
  /**
   * Remembers the answer and ends the session, both or neither. A dialog that was answered before keeps its first answer, and
   * nothing ends. Answers to be remembered no longer at the time may be forgotten.
   */
  readonly answerDialog: (
    answered: AnsweredDialog,
    at: EpochSeconds,
  ) => TE.TaskEither<SessionChanged | Unavailable, HeldAnswer>
  readonly endSession: (ended: EndedSession, at: EpochSeconds) => TE.TaskEither<SessionChanged | Unavailable, void>
}
