import { revokeInitialAccessToken } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import type { TokenPorts } from '../ports.js'

export const deleteToken = (ports: TokenPorts): OperatorHandler<'tokens'> => {
  const revoke = revokeInitialAccessToken(ports)
  return ({ id, origin }, operator) => answer(revoke({ operator, id, origin }), noContent)
}
