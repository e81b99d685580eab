import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import {
  maxForgotten,
  sessionChanged,
  unavailable,
  type EndedSession,
  type EndingDialog,
  type EpochSeconds,
  type Logouts,
  type SessionChanged,
  type Unavailable,
} from '@clientele/domain'
import { type State, currentSession, forgetFirst, isStillThere, revokeOfSession } from './state.js'
import { addNotice, giveWay } from './logout-outbox.js'
import { recordEvent } from './provider-events.js'
import { step } from './step.js'

const remember = ({ endingDialogs }: State, { dialog, answered_at, expires_at }: EndingDialog): void => {
  const hasExpired = (until: EpochSeconds): boolean => until < answered_at
  forgetFirst(endingDialogs, hasExpired, identity, maxForgotten.endingDialogs)
  endingDialogs.set(dialog, expires_at)
}

// What has to be done, when nothing stands against it.
const ending =
  (state: State) =>
  (ended: EndedSession): E.Either<SessionChanged | Unavailable, () => number> => {
    const { session, revokesOfflineAccess, noticeLimits } = ended
    if (currentSession(state, session) === undefined) return E.left(sessionChanged)
    const isThere = isStillThere(state, session)
    const notices = ended.notices.filter(({ client_id }) => isThere(client_id))
    const ids = new Set(notices.map(({ id }) => id))
    if (ids.size < notices.length || notices.some(({ id }) => state.notices.has(id)))
      return E.left(unavailable('taken'))
    return E.right(() => {
      for (const notice of notices) addNotice(state.notices, notice)
      revokeOfSession(state, session.sid, revokesOfflineAccess)
      state.sessions.delete(session.sid)
      recordEvent(state, { event: 'session_ended', sid: session.sid })
      if (ended.by !== undefined) remember(state, ended.by)
      const clients = notices.map(({ client_id }) => client_id)
      return giveWay(state.notices, clients, noticeLimits)
    })
  }

export const inMemoryLogouts = (state: State): Logouts => ({
  hasEnded: (dialog) => step(() => E.right(state.endingDialogs.has(dialog))),
  endSession: (ended) =>
    step(() =>
      pipe(
        ending(state)(ended),
        E.map((end) => ({ gaveWay: end() })),
      ),
    ),
})
