import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TokenHash } from '../authorization/token-hash.js'
import type { ClientId } from '../client/client-id.js'
import { unavailable } from '../errors.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import { sessionChanged } from '../ports/end-user-sessions.js'
import type { EndUserSession } from '../sessions/end-user-session.js'
import { endOf, isLive } from '../sessions/end-user-session.js'
import { step } from './step.js'

const mostForgotten = 20

type StoredSession = { readonly cookie: TokenHash; readonly session: EndUserSession }

export type InMemorySessions = {
  readonly port: EndUserSessions
  /** The session in the very version that was read. */
  readonly current: (read: EndUserSession) => EndUserSession | undefined
  /** Of a client that was read with the session, whether it still stands in it; of any other, whether it is registered. */
  readonly isSame: (read: EndUserSession) => (id: ClientId) => boolean
  readonly has: (sid: string) => boolean
  readonly remove: (session: EndUserSession) => void
  readonly removeClient: (id: ClientId) => void
}

export type SessionWorld = {
  readonly isRegistered: (id: ClientId) => boolean
  /** What becomes of what the session granted, when the session is forgotten. */
  readonly onForgotten: (sid: string) => void
}

export const inMemoryEndUserSessions = ({ isRegistered, onForgotten }: SessionWorld): InMemorySessions => {
  const stored = new Map<string, StoredSession>()
  const all = (): ReadonlyArray<EndUserSession> => [...stored.values()].map(({ session }) => session)
  const current = (read: EndUserSession): EndUserSession | undefined => {
    const session = stored.get(read.sid)?.session
    return session?.version === read.version ? session : undefined
  }
  const isSame = (read: EndUserSession) => {
    const isIn = (session: EndUserSession | undefined, id: ClientId): boolean =>
      session?.clients.some(({ client_id }) => client_id === id) ?? false
    return (id: ClientId): boolean => (isIn(read, id) ? isIn(stored.get(read.sid)?.session, id) : isRegistered(id))
  }
  const withClients = (session: EndUserSession, keeps: (id: ClientId) => boolean): EndUserSession => ({
    ...session,
    clients: session.clients.filter(({ client_id }) => keeps(client_id)),
  })
  const set = (cookie: TokenHash, session: EndUserSession): void => void stored.set(session.sid, { cookie, session })

  return {
    current,
    isSame,
    has: (sid) => stored.has(sid),
    remove: ({ sid }) => void stored.delete(sid),
    removeClient: (removed) => {
      for (const { cookie, session } of stored.values())
        set(
          cookie,
          withClients(session, (id) => id !== removed),
        )
    },
    port: {
      addSession: (session, cookie, at) =>
        step(() => {
          const over = all().filter((each) => !isLive(at)(each))
          const forgotten = over.sort((one, other) => endOf(one) - endOf(other)).slice(0, mostForgotten)
          const kept = [...stored.values()].filter((each) => !forgotten.includes(each.session))
          if (kept.some((each) => each.session.sid === session.sid || each.cookie === cookie))
            return E.left(unavailable('taken'))
          for (const { sid } of forgotten) {
            stored.delete(sid)
            onForgotten(sid)
          }
          set(cookie, withClients(session, isRegistered))
          return E.right(undefined)
        }),
      findSession: (cookie) =>
        step(() => E.right(O.fromNullable([...stored.values()].find((each) => each.cookie === cookie)?.session))),
      findSessionById: (sid) => step(() => E.right(O.fromNullable(stored.get(sid)?.session))),
      listSessions: (sub) =>
        step(() =>
          E.right(
            all()
              .filter((session) => session.sub === sub)
              .sort((one, other) => one.auth_time - other.auth_time),
          ),
        ),
      replaceSession: (next, replacing) =>
        step(() => {
          const cookie = stored.get(next.sid)?.cookie
          if (cookie === undefined || current({ ...replacing, sid: next.sid }) === undefined)
            return E.left(sessionChanged)
          set(cookie, withClients(next, isSame(replacing)))
          return E.right(undefined)
        }),
    },
  }
}
