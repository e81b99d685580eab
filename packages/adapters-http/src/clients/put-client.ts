import { repeatedMembers } from '@clientele/domain/client'
import { identifyHolder, previewUpdate, updateClient } from '@clientele/domain/operations'
import { type Handler, answer, dryRun, forCaller } from '../http/handler.js'
import { okResponse, representationResponse } from '../http/response.js'
import { readIfMatch } from '../http/if-match.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './with-warnings.js'

/** RFC 7592 §2.2 */
export const putClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyHolder(ports, 'update')
  const update = updateClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, repeatedMembers, representationResponse)
  const preview = previewUpdate(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    (request, caller) => {
      const { dry, body } = dryRun(request)
      const { remoteAddress, origin, headers } = request
      const requested = { caller, body, ifMatch: readIfMatch(headers['if-match']), remoteAddress, origin }
      return dry ? answer(preview(requested), okResponse) : answer(update(requested), encode(body))
    },
  )
}
