import { repeatedMembers } from '@clientele/domain/client'
import { patchClient as patchRegistered, previewPatch } from '@clientele/domain/operations'
import { type OperatorHandler, answer, dryRun } from '../http/handler.js'
import { representationResponse } from '../http/response.js'
import { readIfMatch } from '../http/if-match.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './with-warnings.js'

/** Changes members of a client, which keeps its credentials. */
export const patchClient = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const patch = patchRegistered(settings.registration, ports)
  const encode = withWarnings(settings, ports, repeatedMembers, representationResponse)
  const preview = previewPatch(settings.registration, ports)
  return (request, operator) => {
    const { dry, body } = dryRun(request)
    const { id, origin, headers } = request
    const requested = { operator, clientId: id, body, ifMatch: readIfMatch(headers['if-match']), origin }
    return dry ? answer(preview(requested), representationResponse) : answer(patch(requested), encode(body))
  }
}
