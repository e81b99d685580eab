import type { ClientInformation } from '@clientele/domain'
import { previewRegistration, registerClient } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpResponse } from '../http/response.js'
import { jsonResponse } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodePreview } from './client-information-response.js'
import { withWarnings } from './with-warnings.js'

/** RFC 7591 §3.1 */
export const postClients = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const register = registerClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, encodeRegistered(settings.registrationStatus))
  const preview = previewRegistration(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) => {
    const { dry, body } = dryRun(request)
    const asked = { credential: credentialOf(request), body, remoteAddress: request.remoteAddress }
    return dry ? answer(preview(asked), encodePreview) : answer(register(asked), encode)
  }
}

// RFC 7591 §3.2.1 says 201, and RFC 9110 §10.2.2 then Location; the specification says 200
const encodeRegistered =
  (status: HttpSettings['registrationStatus']) =>
  (client: ClientInformation): HttpResponse =>
    jsonResponse(status, client, status === 201 ? { Location: client.registration_client_uri } : {})
