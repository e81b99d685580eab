import { listInitialAccessTokens } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

/** The initial access tokens in force. */
export const getTokens = (ports: ServicePorts): OperatorHandler<'tokens'> => {
  const list = listInitialAccessTokens(ports)
  return (_request, operator) => answer(list(operator), okResponse)
}
