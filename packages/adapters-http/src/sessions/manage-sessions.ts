// For the login system beside the service: it tells who signed in, and where; MASTER alone.
import type { EndUserSession } from '@clientele/domain'
import {
  endOf,
  endSession,
  findSession,
  invalidRequest,
  listSessions,
  recordSessionClient,
  startSession,
} from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { presentedCredential } from '../http/bearer.js'
import { cookieNames, setCookie } from '../http/cookies.js'
import { errorResponse } from '../http/error-response.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import { emptyResponse, jsonResponse, notStored } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

const credentials = (settings: HttpSettings, ports: HttpPorts) =>
  presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })

/** A session as it is told; `ends_at` is when it is over if nobody uses it any more. */
const described = (session: EndUserSession): object => ({
  sid: session.sid,
  sub: session.sub,
  auth_time: session.auth_time,
  used_at: session.used_at,
  idle_lifetime: session.idle_lifetime,
  expires_at: session.expires_at,
  ends_at: endOf(session),
  clients: session.clients,
})

/** Answers with the session, and with the cookie that makes a browser its own; `set_cookie` is the ready field value. */
export const postSessions = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const [start, credentialOf] = [startSession(settings.logout.sessions, ports), credentials(settings, ports)]
  const names = cookieNames(settings.registration.issuer)
  return (request) =>
    answer(start({ credential: credentialOf(request), body: request.body }), ({ session, cookie }) =>
      jsonResponse(201, {
        ...described(session),
        cookie: { name: names.session, value: cookie },
        set_cookie: setCookie(names.session, cookie, names),
      }),
    )
}

/** The session of a browser, by the value of its cookie. */
export const postFindSession = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const [find, credentialOf] = [findSession(ports), credentials(settings, ports)]
  return (request) =>
    answer(find({ credential: credentialOf(request), body: request.body }), (session) =>
      jsonResponse(200, described(session)),
    )
}

/** A client signed the end-user in: answers with the sub and the sid that its ID tokens carry. */
export const postSessionClients = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const [record, credentialOf] = [recordSessionClient(ports), credentials(settings, ports)]
  return (request) =>
    answer(
      record({ credential: credentialOf(request), sid: request.params['sid'] ?? '', body: request.body }),
      (client) => jsonResponse(200, client),
    )
}

const oneSub = 'The query must hold sub once: the end-user whose sessions are wanted'

export const getSessions = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const [list, credentialOf] = [listSessions(ports), credentials(settings, ports)]
  return (request) => {
    const [sub, ...more] = request.query['sub'] ?? []
    const credential = credentialOf(request)
    // Whoever may not ask is told only that.
    if (credential.kind === 'master' && (sub === undefined || more.length > 0))
      return T.of(notStored(errorResponse(invalidRequest(oneSub))))
    return answer(list({ credential, sub: sub ?? '' }), (sessions) =>
      jsonResponse(200, { sessions: sessions.map(described) }),
    )
  }
}

/** The operator ends a session; the applications are told. */
export const deleteSession = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const [end, credentialOf] = [endSession(settings.logout.policy, ports), credentials(settings, ports)]
  return (request) =>
    answer(
      pipe(
        end({ credential: credentialOf(request), sid: request.params['sid'] ?? '' }),
        TE.tapIO((written) => () => ports.sessionEnded(written)),
      ),
      () => emptyResponse(204),
    )
}
