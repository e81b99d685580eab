import type {
  AnsweredDialog,
  EndedSession,
  EpochSeconds,
  HeldAnswer,
  Logouts,
  SessionChanged,
  Unavailable,
} from '@clientele/domain'
import { LogoutAnswer, sessionChanged, unavailable } from '@clientele/domain'
import type Database from 'better-sqlite3'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import { toNoticeRow } from './logout-notice-row.js'
import { createSessionClients } from './session-clients.js'
import type { WriteQueue } from './write-queue.js'

const selectCurrent = 'SELECT ordinal FROM end_user_sessions WHERE sid = ? AND version = ?'
const deleteSession = 'DELETE FROM end_user_sessions WHERE ordinal = ?'
// What else the session granted goes with its row.
const deleteOffline = 'DELETE FROM authorizations WHERE session = ? AND offline = 1'
const insertNotice = `
INSERT INTO logout_notices (id, client, uri, alg, sub, sid, created_at, attempts, due_at, failed, note)
VALUES (@id, @client, @uri, @alg, @sub, @sid, @created_at, 0, @due_at, 0, '')`
const selectAnswer = 'SELECT answer FROM answered_dialogs WHERE dialog_hash = ?'
const insertAnswer = 'INSERT INTO answered_dialogs (dialog_hash, answer, remembered_until) VALUES (?, ?, ?)'
// So that no answer waits long for those from before, it forgets so many at most.
const mostForgotten = 100
const forgetAnswers = `
DELETE FROM answered_dialogs WHERE dialog_hash IN
  (SELECT dialog_hash FROM answered_dialogs WHERE remembered_until < ? ORDER BY remembered_until LIMIT ${mostForgotten})`

/** What is still to be written, once it is certain that the session is as it was read. */
type Ending = () => void

const createEndings = (db: Database.Database): ((ended: EndedSession) => E.Either<SessionChanged, Ending>) => {
  const current = db.prepare(selectCurrent).pluck()
  const [notify, revoke, remove] = [db.prepare(insertNotice), db.prepare(deleteOffline), db.prepare(deleteSession)]
  const clients = createSessionClients(db)

  const end = (ordinal: unknown, { session, notices, revokesOfflineAccess }: EndedSession): void => {
    const ordinalOf = clients.ordinalsFor(ordinal, session)
    for (const notice of notices) {
      const client = ordinalOf(notice.client_id)
      if (client !== undefined) notify.run(toNoticeRow(notice, client))
    }
    if (revokesOfflineAccess) revoke.run(session.sid)
    remove.run(ordinal)
  }

  return (ended) => {
    const ordinal = current.get(ended.session.sid, ended.session.version)
    return ordinal === undefined ? E.left(sessionChanged) : E.right(() => end(ordinal, ended))
  }
}

const fromAnswer = (input: unknown): E.Either<Unavailable, LogoutAnswer> =>
  pipe(
    LogoutAnswer.decode(input),
    E.mapLeft(() => unavailable('the answer to a dialog cannot be read')),
  )

export const createLogouts = (db: Database.Database, queue: WriteQueue): Logouts => {
  const endingOf = createEndings(db)
  const [earlier, remember, forget] = [
    db.prepare(selectAnswer).pluck(),
    db.prepare(insertAnswer),
    db.prepare(forgetAnswers),
  ]

  const answerOnce = (
    { dialog, answer, rememberedUntil, ends }: AnsweredDialog,
    at: EpochSeconds,
  ): E.Either<SessionChanged | Unavailable, HeldAnswer> => {
    const first = earlier.get(dialog)
    if (first !== undefined)
      return pipe(
        fromAnswer(first),
        E.map((held) => ({ answer: held, isFirst: false })),
      )
    const ending = pipe(ends, O.traverse(E.Applicative)(endingOf))
    if (E.isLeft(ending)) return ending
    forget.run(at)
    remember.run(dialog, answer, rememberedUntil)
    if (O.isSome(ending.right)) ending.right.value()
    return E.right({ answer, isFirst: true })
  }

  return {
    answerDialog: (answered, at) => queue.write(() => answerOnce(answered, at)),
    endSession: (ended) =>
      queue.write(() =>
        pipe(
          endingOf(ended),
          E.map((end) => end()),
        ),
      ),
  }
}
