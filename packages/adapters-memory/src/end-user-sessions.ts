import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  sessionEnd,
  isLive,
  jsonInOrder,
  maxForgotten,
  sessionChanged,
  unavailable,
  type EndUserSession,
  type EndUserSessions,
  type EpochSeconds,
  type SessionChanged,
  type TokenHash,
  type Unavailable,
} from '@clientele/domain'
import { type State, type StoredSession, currentSession, revokeOfSession, useClient, withRegistered } from './state.js'
import { withAudit } from './audit-log.js'
import { step } from './step.js'

const allSessions = ({ sessions }: State): ReadonlyArray<EndUserSession> =>
  [...sessions.values()].map(({ session }) => session)

// The sessions that ended first.
const toForget = (state: State, at: EpochSeconds): ReadonlyArray<EndUserSession> =>
  allSessions(state)
    .filter((session) => !isLive(at)(session))
    .sort((one, other) => sessionEnd(one) - sessionEnd(other))
    .slice(0, maxForgotten.sessions)

// The clients of the session, if they are others than before, are used when the session is.
const store = (state: State, stored: StoredSession, before?: EndUserSession): void => {
  state.sessions.set(stored.session.sid, stored)
  const { clients, used_at } = stored.session
  if (jsonInOrder(clients) === jsonInOrder(before?.clients)) return
  for (const { client_id } of clients) useClient(state, client_id, used_at)
}

const add = (
  state: State,
  session: EndUserSession,
  cookie: TokenHash,
  at: EpochSeconds,
): E.Either<Unavailable, void> => {
  const forgotten = new Set(toForget(state, at).map(({ sid }) => sid))
  const others = [...state.sessions.values()].filter((each) => !forgotten.has(each.session.sid))
  if (others.some((each) => each.session.sid === session.sid || each.cookie === cookie))
    return E.left(unavailable('taken'))
  for (const sid of forgotten) {
    state.sessions.delete(sid)
    revokeOfSession(state, sid, false)
  }
  store(state, { cookie, session: withRegistered(state, session) })
  return E.right(undefined)
}

const replace = (state: State, next: EndUserSession, replacing: EndUserSession): E.Either<SessionChanged, void> => {
  const current = currentSession(state, { ...replacing, sid: next.sid })
  if (current === undefined) return E.left(sessionChanged)
  store(state, { ...current, session: withRegistered(state, next) }, replacing)
  return E.right(undefined)
}

const ofUser = (state: State, sub: string): ReadonlyArray<EndUserSession> =>
  allSessions(state)
    .filter((session) => session.sub === sub)
    .sort((one, other) => one.auth_time - other.auth_time)

export const inMemoryEndUserSessions = (state: State): EndUserSessions => ({
  addSession: (session, cookie, at, audit) => step(() => withAudit(state, audit, add(state, session, cookie, at))),
  findSession: (cookie) =>
    step(() => E.right(O.fromNullable([...state.sessions.values()].find((each) => each.cookie === cookie)?.session))),
  findSessionById: (sid) => step(() => E.right(O.fromNullable(state.sessions.get(sid)?.session))),
  listSessions: (sub) => step(() => E.right(ofUser(state, sub))),
  replaceSession: (next, replacing, audit) => step(() => withAudit(state, audit, replace(state, next, replacing))),
})
