import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { EpochSeconds } from '../codec/epoch-seconds.js'
import type { Unavailable } from '../errors.js'
import { unavailable } from '../errors.js'
import type { SessionChanged } from '../ports/end-user-sessions.js'
import { sessionChanged } from '../ports/end-user-sessions.js'
import type { AnsweredDialog, EndedSession, HeldAnswer, Logouts } from '../ports/logouts.js'
import type { Kept } from './kept.js'
import { currentSession, isStillThere, revokeOfSession } from './kept.js'
import { addNotice } from './logout-outbox.js'
import { step } from './step.js'

const mostForgotten = 100

// What has to be done, when nothing stands against it.
const ending =
  (kept: Kept) =>
  (ended: EndedSession): E.Either<SessionChanged | Unavailable, () => void> => {
    const { session, revokesOfflineAccess } = ended
    if (currentSession(kept, session) === undefined) return E.left(sessionChanged)
    const isThere = isStillThere(kept, session)
    const notices = ended.notices.filter(({ client_id }) => isThere(client_id))
    const ids = new Set(notices.map(({ id }) => id))
    if (ids.size < notices.length || notices.some(({ id }) => kept.notices.has(id))) return E.left(unavailable('taken'))
    return E.right(() => {
      for (const notice of notices) addNotice(kept.notices, notice)
      revokeOfSession(kept, session.sid, revokesOfflineAccess)
      kept.sessions.delete(session.sid)
    })
  }

const forgetOldAnswers = ({ answers }: Kept, at: EpochSeconds): void => {
  const old = [...answers.values()]
    .filter(({ rememberedUntil }) => rememberedUntil < at)
    .sort((one, other) => one.rememberedUntil - other.rememberedUntil)
  for (const { dialog } of old.slice(0, mostForgotten)) answers.delete(dialog)
}

const answerOnce = (
  kept: Kept,
  { dialog, answer, rememberedUntil, ends }: AnsweredDialog,
  at: EpochSeconds,
): E.Either<SessionChanged | Unavailable, HeldAnswer> => {
  const first = kept.answers.get(dialog)
  if (first !== undefined) return E.right({ answer: first.answer, isFirst: false })
  return pipe(
    ends,
    O.traverse(E.Applicative)(ending(kept)),
    E.map((end) => {
      forgetOldAnswers(kept, at)
      kept.answers.set(dialog, { dialog, answer, rememberedUntil })
      if (O.isSome(end)) end.value()
      return { answer, isFirst: true }
    }),
  )
}

export const inMemoryLogouts = (kept: Kept): Logouts => ({
  answerDialog: (answered, at) => step(() => answerOnce(kept, answered, at)),
  endSession: (ended) =>
    step(() =>
      pipe(
        ending(kept)(ended),
        E.map((end) => end()),
      ),
    ),
})
