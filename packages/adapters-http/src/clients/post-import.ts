import { importClients } from '@clientele/domain/operations'
import { type OperatorHandler, answer, dryRun } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** One batch of an import: the outcome of each client, in their order. */
export const postImportedClients = (
  settings: HttpSettings,
  ports: ServicePorts,
): OperatorHandler<'clients:write' | 'clients:secrets' | 'tokens'> => {
  const take = importClients(settings.registration, ports)
  return (request, operator) => {
    const { dry, body } = dryRun(request)
    return answer(take(operator)({ dryRun: dry, body, origin: request.origin }), (outcomes) =>
      okResponse({ clients: outcomes }),
    )
  }
}
