import { renewCredentials } from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** Renews both credentials of a client. */
export const postRenewal = (
  settings: HttpSettings,
  ports: ServicePorts,
): OperatorHandler<'clients:write' | 'clients:secrets'> => {
  const renew = renewCredentials(settings.registration, ports)
  return ({ id, origin }, operator) => answer(renew({ operator, clientId: id, origin }), okResponse)
}
