import { readClient } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodeClientInformation } from './client-information-response.js'

/** RFC 7592 §2.1 */
export const getClient = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const read = readClient(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      read({
        credential: credentialOf(request),
        clientId: request.params['id'] ?? '',
        isSafe: request.method === 'HEAD',
      }),
      encodeClientInformation,
    )
}
