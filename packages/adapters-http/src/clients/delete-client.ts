import { deleteClient as deleteRegistered } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import { emptyResponse } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** RFC 7592 §2.3 */
export const deleteClient = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const remove = deleteRegistered(ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(remove({ credential: credentialOf(request), clientId: request.params['id'] ?? '' }), () =>
      emptyResponse(204),
    )
}
