import { issueOperatorToken } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

/** Issues an operator token; the response is that of RFC 6749 §5.1. */
export const postOperatorToken = (ports: ServicePorts): OperatorHandler<'operators'> => {
  const issue = issueOperatorToken(ports)
  return ({ body, origin }, operator) => answer(issue({ operator, body, origin }), okResponse)
}
