import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import {
  maxForgotten,
  sessionChanged,
  unavailable,
  type EndedSession,
  type EndingConfirmation,
  type EpochSeconds,
  type SessionTermination,
  type SessionChanged,
  type Unavailable,
} from '@clientele/domain'
import { type State, currentSession, forgetFirst, isRegistered, revokeOfSession } from './state.js'
import { withAudit } from './audit-log.js'
import { addNotification, giveWay } from './pending-notifications.js'
import { recordEvent } from './provider-events.js'
import { step } from './step.js'

const remember = (
  { endingConfirmations }: State,
  { confirmation, answered_at, expires_at }: EndingConfirmation,
): void => {
  const hasExpired = (until: EpochSeconds): boolean => until < answered_at
  forgetFirst(endingConfirmations, hasExpired, identity, maxForgotten.endingConfirmations)
  endingConfirmations.set(confirmation, expires_at)
}

// Ends the session; all conditions are checked before.
const ending =
  (state: State) =>
  (ended: EndedSession): E.Either<SessionChanged | Unavailable, () => number> => {
    const { session, revokesOfflineAccess, notificationLimits } = ended
    if (currentSession(state, session) === undefined) return E.left(sessionChanged)
    const notifications = ended.notifications.filter(isRegistered(state))
    const ids = new Set(notifications.map(({ id }) => id))
    if (ids.size < notifications.length || notifications.some(({ id }) => state.notifications.has(id)))
      return E.left(unavailable('taken'))
    return E.right(() => {
      for (const notification of notifications) addNotification(state.notifications, notification)
      revokeOfSession(state, session.sid, revokesOfflineAccess)
      state.sessions.delete(session.sid)
      recordEvent(state, { event: 'session_ended', sid: session.sid })
      if (ended.by !== undefined) remember(state, ended.by)
      const clients = notifications.map(({ client_id }) => client_id)
      return giveWay(state.notifications, clients, notificationLimits)
    })
  }

export const inMemorySessionTermination = (state: State): SessionTermination => ({
  hasEnded: (confirmation) => step(() => E.right(state.endingConfirmations.has(confirmation))),
  endSession: (ended, audit) =>
    step(() =>
      withAudit(
        state,
        audit,
        pipe(
          ending(state)(ended),
          E.map((end) => ({ gaveWay: end() })),
        ),
      ),
    ),
})
