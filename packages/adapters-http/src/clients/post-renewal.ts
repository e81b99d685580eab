import { renewCredentials } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodeClientInformation } from './client-information-response.js'

/** POST /clients/{id}/renewal: MASTER alone renews both credentials of a client. */
export const postRenewal = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const renew = renewCredentials(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(renew({ credential: credentialOf(request), clientId: request.params['id'] ?? '' }), encodeClientInformation)
}
