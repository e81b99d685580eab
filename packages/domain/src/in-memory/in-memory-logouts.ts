import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { Unavailable } from '../errors.js'
import { unavailable } from '../errors.js'
import type { SessionChanged } from '../ports/end-user-sessions.js'
import { sessionChanged } from '../ports/end-user-sessions.js'
import type { AnsweredDialog, EndedSession, HeldAnswer, Logouts } from '../ports/logouts.js'
import type { InMemorySessions } from './in-memory-end-user-sessions.js'
import type { InMemoryOutbox } from './in-memory-logout-outbox.js'
import { step } from './step.js'

const mostForgotten = 100

export type LogoutWorld = {
  readonly sessions: InMemorySessions
  readonly outbox: InMemoryOutbox
  readonly revoke: (sid: string, revokesOfflineAccess: boolean) => void
}

export const inMemoryLogouts = ({ sessions, outbox, revoke }: LogoutWorld): Logouts => {
  const answers = new Map<TokenHash, Pick<AnsweredDialog, 'dialog' | 'answer' | 'rememberedUntil'>>()

  const ending = (ended: EndedSession): E.Either<SessionChanged | Unavailable, () => void> => {
    const { session, revokesOfflineAccess } = ended
    if (sessions.current(session) === undefined) return E.left(sessionChanged)
    const isSame = sessions.isSame(session)
    const notices = ended.notices.filter(({ client_id }) => isSame(client_id))
    const ids = new Set(notices.map(({ id }) => id))
    if (ids.size < notices.length || notices.some(({ id }) => outbox.has(id))) return E.left(unavailable('taken'))
    return E.right(() => {
      notices.forEach(outbox.add)
      revoke(session.sid, revokesOfflineAccess)
      sessions.remove(session)
    })
  }

  return {
    answerDialog: ({ dialog, answer, rememberedUntil, ends }, at) =>
      step((): E.Either<SessionChanged | Unavailable, HeldAnswer> => {
        const first = answers.get(dialog)
        if (first !== undefined) return E.right({ answer: first.answer, isFirst: false })
        const certain = pipe(ends, O.traverse(E.Applicative)(ending))
        if (E.isLeft(certain)) return certain
        const old = [...answers.values()].filter((each) => each.rememberedUntil < at)
        for (const each of old
          .sort((one, other) => one.rememberedUntil - other.rememberedUntil)
          .slice(0, mostForgotten))
          answers.delete(each.dialog)
        answers.set(dialog, { dialog, answer, rememberedUntil })
        if (O.isSome(certain.right)) certain.right.value()
        return E.right({ answer, isFirst: true })
      }),
    endSession: (ended) =>
      step(() =>
        pipe(
          ending(ended),
          E.map((end) => end()),
        ),
      ),
  }
}
