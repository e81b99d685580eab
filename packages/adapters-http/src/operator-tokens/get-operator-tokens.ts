import { listOperatorTokens } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

/** The operator tokens in force. */
export const getOperatorTokens = (ports: ServicePorts): OperatorHandler<'operators'> => {
  const list = listOperatorTokens(ports)
  return (_request, operator) => answer(list(operator), okResponse)
}
