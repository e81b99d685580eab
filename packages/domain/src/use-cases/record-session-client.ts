import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Operator } from '../authorization/operator.js'
import type { InvalidRequest, SessionFull, Unavailable, UnknownClient, UnknownSession } from '../errors.js'
import { sessionFull } from '../errors.js'
import type { ClientRegistry } from '../ports/client-registry.js'
import type { EndUserSessions } from '../ports/end-user-sessions.js'
import type { Fresh } from '../ports/fresh.js'
import type { Turns } from '../ports/turns.js'
import type { EndUserSession, SessionClient } from '../sessions/end-user-session.js'
import { mostSessionClients, withClient } from '../sessions/end-user-session.js'
import type { SignedInClient } from '../sessions/read-session-request.js'
import { readSignedInClient, unregisteredClient } from '../sessions/read-session-request.js'
import { inTurnWhenChanged } from './steps/again-when-changed.js'
import { findSessionNamed } from './steps/find-session.js'

/** The body holds client_id, and sub and sid where the client's ID tokens do not name them as the session does. */
export type RecordSessionClientRequest = {
  readonly operator: Operator
  readonly sid: string
  readonly body: E.Either<InvalidRequest, unknown>
}

export type RecordSessionClientError = InvalidRequest | UnknownSession | SessionFull | UnknownClient | Unavailable

export type RecordSessionClientPorts = Turns &
  Pick<ClientRegistry, 'findClient'> &
  Pick<EndUserSessions, 'findSessionById' | 'replaceSession'> &
  Pick<Fresh, 'now'>

const joined = (
  session: EndUserSession,
  { client_id, sub, sid }: SignedInClient,
): E.Either<SessionFull, SessionClient> => {
  const known = session.clients.find((client) => client.client_id === client_id)
  if (known === undefined && session.clients.length >= mostSessionClients) return E.left(sessionFull)
  const names = known ?? session
  return E.right({ client_id, sub: sub ?? names.sub, sid: sid ?? names.sid })
}

const record =
  (ports: RecordSessionClientPorts, sid: string) =>
  (sent: SignedInClient): TE.TaskEither<RecordSessionClientError, SessionClient> => {
    const at = ports.now()
    return pipe(
      findSessionNamed(ports, at)(sid),
      TE.bindTo('session'),
      TE.bindW('client', ({ session }) => TE.fromEither(joined(session, sent))),
      TE.tap(({ session, client }) => ports.replaceSession(withClient(client, at)(session), session)),
      TE.map(({ client }) => client),
      inTurnWhenChanged(ports, `session ${sid}`),
    )
  }

/** The client signed the end-user in; the session counts as used. Answers with what its ID tokens name the two. */
export const recordSessionClient =
  (ports: RecordSessionClientPorts) =>
  (request: RecordSessionClientRequest): TE.TaskEither<RecordSessionClientError, SessionClient> =>
    pipe(
      TE.fromEither<RecordSessionClientError, SignedInClient>(pipe(request.body, E.flatMap(readSignedInClient))),
      TE.tap((sent) =>
        pipe(
          ports.findClient(sent.client_id),
          TE.flatMapEither((found): E.Either<RecordSessionClientError, unknown> =>
            O.isNone(found) ? E.left(unregisteredClient) : E.right(found),
          ),
        ),
      ),
      TE.flatMap(record(ports, request.sid)),
    )
