import { identifyHolder, readClient } from '@clientele/domain/operations'
import { type Handler, answer, forCaller } from '../http/handler.js'
import { representationResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** RFC 7592 §2.1 */
export const getClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyHolder(ports, 'read')
  const read = readClient(settings.registration, ports)
  return forCaller(
    'registration_access_token',
    ({ credential, id }) => identified({ credential, clientId: id }),
    ({ method, remoteAddress, origin }, caller) =>
      answer(read({ caller, isSafe: method === 'HEAD', remoteAddress, origin }), representationResponse),
  )
}
