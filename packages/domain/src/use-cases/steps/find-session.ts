import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { TokenHash } from '../../authorization/credential.js'
import type { ClientId } from '../../client/client-id.js'
import type { RegisteredClient } from '../../registration/registered-client.js'
import type { EpochSeconds } from '../../codec/epoch-seconds.js'
import { type Unavailable, type UnknownSession, unknownSession } from '../../errors.js'
import { type SessionApplication, applicationsOf } from '../../logout/notified-applications.js'
import type { ClientRegistry } from '../../ports/client-registry.js'
import type { EndUserSessions } from '../../ports/end-user-sessions.js'
import { type EndUserSession, isLive } from '../../sessions/end-user-session.js'

/** The session of the browser with the cookie, if it is not over. */
export const findLiveSession =
  (ports: Pick<EndUserSessions, 'findSession'>, at: EpochSeconds) =>
  (cookie: O.Option<TokenHash>): TE.TaskEither<Unavailable, EndUserSession | undefined> =>
    O.isNone(cookie)
      ? TE.right(undefined)
      : pipe(
          ports.findSession(cookie.value),
          TE.map((found) => O.toUndefined(O.filter(isLive(at))(found))),
        )

/** The session with the sid, if it is not over. */
export const findSessionNamed =
  (ports: Pick<EndUserSessions, 'findSessionById'>, at: EpochSeconds) =>
  (sid: string): TE.TaskEither<UnknownSession | Unavailable, EndUserSession> =>
    pipe(
      ports.findSessionById(sid),
      TE.flatMapOption(O.filter(isLive(at)), () => unknownSession),
    )

/** The ids of the clients that signed in the end-user through the session. */
export const clientsOf = (session: EndUserSession | undefined): ReadonlyArray<ClientId> =>
  (session?.clients ?? []).map(({ client_id }) => client_id)

/**
 * The registered clients among the ids. An unreadable client counts as removed, so that it does not block the logout.
 */
export const findClients =
  (ports: Pick<ClientRegistry, 'findClients'>) =>
  (ids: ReadonlyArray<ClientId>): TE.TaskEither<Unavailable, ReadonlyArray<RegisteredClient>> =>
    pipe(ports.findClients(ids), TE.map(RA.rights))

/** The clients that signed in the end-user through the session. */
export const findApplications =
  (ports: Pick<ClientRegistry, 'findClients'>) =>
  (session: EndUserSession | undefined): TE.TaskEither<Unavailable, ReadonlyArray<SessionApplication>> =>
    pipe(
      findClients(ports)(clientsOf(session)),
      TE.map((clients) => applicationsOf(session, clients)),
    )
