import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import {
  endOf,
  isLive,
  sessionChanged,
  unavailable,
  type EndUserSession,
  type EndUserSessions,
  type EpochSeconds,
  type SessionChanged,
  type TokenHash,
  type Unavailable,
} from '@clientele/domain'
import type { Kept } from './kept.js'
import { currentSession, isStillThere, revokeOfSession, withClients } from './kept.js'
import { step } from './step.js'

const mostForgotten = 20

const allSessions = ({ sessions }: Kept): ReadonlyArray<EndUserSession> =>
  [...sessions.values()].map(({ session }) => session)

// Those that have been over for longest.
const toForget = (kept: Kept, at: EpochSeconds): ReadonlyArray<EndUserSession> =>
  allSessions(kept)
    .filter((session) => !isLive(at)(session))
    .sort((one, other) => endOf(one) - endOf(other))
    .slice(0, mostForgotten)

const add = (kept: Kept, session: EndUserSession, cookie: TokenHash, at: EpochSeconds): E.Either<Unavailable, void> => {
  const forgotten = new Set(toForget(kept, at).map(({ sid }) => sid))
  const others = [...kept.sessions.values()].filter((each) => !forgotten.has(each.session.sid))
  if (others.some((each) => each.session.sid === session.sid || each.cookie === cookie))
    return E.left(unavailable('taken'))
  for (const sid of forgotten) {
    kept.sessions.delete(sid)
    revokeOfSession(kept, sid, false)
  }
  kept.sessions.set(session.sid, { cookie, session: withClients(session, (id) => kept.clients.has(id)) })
  return E.right(undefined)
}

const replace = (kept: Kept, next: EndUserSession, replacing: EndUserSession): E.Either<SessionChanged, void> => {
  const current = currentSession(kept, { ...replacing, sid: next.sid })
  if (current === undefined) return E.left(sessionChanged)
  kept.sessions.set(next.sid, { ...current, session: withClients(next, isStillThere(kept, replacing)) })
  return E.right(undefined)
}

const ofUser = (kept: Kept, sub: string): ReadonlyArray<EndUserSession> =>
  allSessions(kept)
    .filter((session) => session.sub === sub)
    .sort((one, other) => one.auth_time - other.auth_time)

export const inMemoryEndUserSessions = (kept: Kept): EndUserSessions => ({
  addSession: (session, cookie, at) => step(() => add(kept, session, cookie, at)),
  findSession: (cookie) =>
    step(() => E.right(O.fromNullable([...kept.sessions.values()].find((each) => each.cookie === cookie)?.session))),
  findSessionById: (sid) => step(() => E.right(O.fromNullable(kept.sessions.get(sid)?.session))),
  listSessions: (sub) => step(() => E.right(ofUser(kept, sub))),
  replaceSession: (next, replacing) => step(() => replace(kept, next, replacing)),
})
