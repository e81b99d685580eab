import { revokeInitialAccessToken } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

export const deleteToken = (ports: ServicePorts): OperatorHandler<'tokens'> => {
  const revoke = revokeInitialAccessToken(ports)
  return ({ id, origin }, operator) => answer(revoke({ operator, id, origin }), noContent)
}
