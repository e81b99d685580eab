import { issueInitialAccessToken } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** Issues an initial access token; the response is that of RFC 6749 §5.1. */
export const postDirectAuthz = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'tokens'> => {
  const issue = issueInitialAccessToken(settings.registration, ports)
  return ({ body, origin }, operator) => answer(issue({ operator, body, origin }), okResponse)
}
