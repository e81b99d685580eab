import { findSession } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import { describedSession } from './described-session.js'

/** The session of a browser, by the value of its cookie. */
export const postFindSession = (ports: ServicePorts): OperatorHandler<'sessions'> => {
  const find = findSession(ports)
  return ({ body }, operator) => answer(find({ operator, body }), (session) => okResponse(describedSession(session)))
}
