import { invalidRequest } from '@clientele/domain/kernel'
import { listSessions } from '@clientele/domain/operations'
import { errorResponse } from '../http/error-response.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import { describedSession } from './described-session.js'

const oneSub = invalidRequest('The query must hold sub once: the end-user whose sessions are wanted')

export const getSessions = (ports: ServicePorts): OperatorHandler<'sessions'> => {
  const list = listSessions(ports)
  return ({ query }, operator) => {
    const [sub, ...more] = query['sub'] ?? []
    return sub === undefined || more.length > 0
      ? errorResponse(oneSub)
      : answer(list({ operator, sub }), (sessions) => okResponse({ sessions: sessions.map(describedSession) }))
  }
}
