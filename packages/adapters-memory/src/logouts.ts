import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import {
  sessionChanged,
  unavailable,
  type EndedSession,
  type EndingDialog,
  type Logouts,
  type SessionChanged,
  type Unavailable,
} from '@clientele/domain'
import type { Kept } from './kept.js'
import { currentSession, forget, isStillThere, revokeOfSession } from './kept.js'
import { addNotice, giveWay } from './logout-outbox.js'
import { step } from './step.js'

const remember = ({ endingDialogs }: Kept, { dialog, answered_at, expires_at }: EndingDialog): void => {
  forget(endingDialogs, (until) => until < answered_at)
  endingDialogs.set(dialog, expires_at)
}

// What has to be done, when nothing stands against it.
const ending =
  (kept: Kept) =>
  (ended: EndedSession): E.Either<SessionChanged | Unavailable, () => number> => {
    const { session, revokesOfflineAccess, noticeLimits } = ended
    if (currentSession(kept, session) === undefined) return E.left(sessionChanged)
    const isThere = isStillThere(kept, session)
    const notices = ended.notices.filter(({ client_id }) => isThere(client_id))
    const ids = new Set(notices.map(({ id }) => id))
    if (ids.size < notices.length || notices.some(({ id }) => kept.notices.has(id))) return E.left(unavailable('taken'))
    return E.right(() => {
      for (const notice of notices) addNotice(kept.notices, notice)
      revokeOfSession(kept, session.sid, revokesOfflineAccess)
      kept.sessions.delete(session.sid)
      if (ended.by !== undefined) remember(kept, ended.by)
      const clients = notices.map(({ client_id }) => client_id)
      return giveWay(kept.notices, clients, noticeLimits)
    })
  }

export const inMemoryLogouts = (kept: Kept): Logouts => ({
  hasEnded: (dialog) => step(() => E.right(kept.endingDialogs.has(dialog))),
  endSession: (ended) =>
    step(() =>
      pipe(
        ending(kept)(ended),
        E.map((end) => ({ gaveWay: end() })),
      ),
    ),
})
