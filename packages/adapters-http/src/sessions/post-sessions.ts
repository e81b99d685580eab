import { startSession } from '@clientele/domain/operations'
import { cookieNames, setCookie } from '../http/cookies.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { jsonResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { describedSession } from './described-session.js'

/** Answers with the session and the cookie that identifies its browser; `set_cookie` is the complete field value. */
export const postSessions = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'sessions'> => {
  const start = startSession(settings.logout.sessions, ports)
  const names = cookieNames(settings.registration.issuer)
  return ({ body, origin }, operator) =>
    answer(start({ operator, body, origin }), ({ session, cookie }) =>
      jsonResponse(201, {
        ...describedSession(session),
        cookie: { name: names.session, value: cookie },
        set_cookie: setCookie(names.session, cookie, names),
      }),
    )
}
