// End-user sessions, for the login system beside the service, which has an operator token.
import { invalidRequest } from '@clientele/domain/kernel'
import { type EndUserSession, type SessionClient, sessionEnd } from '@clientele/domain/logout'
import { endSession, findSession, listSessions, recordSessionClient, startSession } from '@clientele/domain/operations'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { cookieNames, setCookie } from '../http/cookies.js'
import { errorResponse, jsonResponse, noContent, okResponse } from '../http/response.js'
import { type Family, answer } from './route.js'

/** A client of a session for the login system. */
const describedClient = ({ client_id, sub, sid }: SessionClient): object => ({ client_id, sub, sid })

/** A session for the login system; `ends_at` is the time at which it ends without further use. */
const describedSession = (session: EndUserSession): object => ({
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  ends_at: sessionEnd(session),
  clients: session.clients.map(describedClient),
})

const oneSub = invalidRequest('The query must hold sub once: the end-user whose sessions are wanted')

export const sessionRoutes: Family<'service'> = (settings, ports, operated) => {
  const start = startSession(settings.logout.sessions, ports)
  const list = listSessions(ports)
  const find = findSession(ports)
  const record = recordSessionClient(ports)
  const end = endSession(settings.logout.policy, ports)
  const names = cookieNames(settings.registration.issuer)
  return [
    // Answers with the session and the cookie that identifies its browser; `set_cookie` is the complete field value.
    operated('POST', '/sessions', ['sessions'], ({ body, origin }, operator) =>
      answer(start({ operator, body, origin }), ({ session, cookie }) =>
        jsonResponse(201, {
          ...describedSession(session),
          cookie: { name: names.session, value: cookie },
          set_cookie: setCookie(names.session, cookie, names),
        }),
      ),
    ),
    operated('GET', '/sessions', ['sessions'], ({ query }, operator) => {
      const [sub, ...more] = query['sub'] ?? []
      return sub === undefined || more.length > 0
        ? errorResponse(oneSub)
        : answer(list({ operator, sub }), (sessions) => okResponse({ sessions: sessions.map(describedSession) }))
    }),
    // The session of a browser, by the value of its cookie.
    operated('POST', '/sessions/find', ['sessions'], ({ body }, operator) =>
      answer(find({ operator, body }), (session) => okResponse(describedSession(session))),
    ),
    // Records a client that signed in the end-user; answers with the sub and sid of the client's ID tokens.
    operated('POST', '/sessions/:sid/clients', ['sessions'], ({ id, body, origin }, operator) =>
      answer(record({ operator, sid: id, body, origin }), (client) => okResponse(describedClient(client))),
    ),
    // Ends a session for the operator; the applications are notified.
    operated('DELETE', '/sessions/:sid', ['sessions'], ({ id, origin }, operator) =>
      answer(
        pipe(
          end({ operator, sid: id, origin }),
          TE.tapIO((written) => () => ports.sessionEnded(written)),
        ),
        noContent,
      ),
    ),
  ]
}
