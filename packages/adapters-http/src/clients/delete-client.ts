import { deleteClient as deleteRegistered, identifyRemover } from '@clientele/domain/operations'
import { type Handler, answer, forCaller } from '../http/handler.js'
import { noContent } from '../http/response.js'
import { readIfMatch } from '../http/if-match.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** RFC 7592 §2.3 */
export const deleteClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyRemover(ports)
  const remove = deleteRegistered(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    ({ origin, headers }, caller) =>
      answer(remove({ caller, ifMatch: readIfMatch(headers['if-match']), origin }), noContent),
  )
}
