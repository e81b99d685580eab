import { type ClientInformation, previewRegistration, registerClient } from '@clientele/domain'
import { type Handler, dryRun, answer } from '../http/handler.js'
import { type HttpResponse, jsonResponse, okResponse } from '../http/response.js'
import { ownAddressOf } from '../http/own-address.js'
import type { ClientPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './with-warnings.js'

// RFC 7591 §3.2.1 says 201, and RFC 9110 §10.2.2 then Location; the specification says 200
const encodeRegistered =
  (status: HttpSettings['registrationStatus']) =>
  (client: ClientInformation): HttpResponse =>
    jsonResponse(status, client, status === 201 ? { Location: client.registration_client_uri } : {})

/** RFC 7591 §3.1 */
export const postClients = (settings: HttpSettings, ports: ClientPorts): Handler => {
  const register = registerClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, encodeRegistered(settings.registrationStatus))
  const preview = previewRegistration(settings.registration, ports)
  return (request) => {
    const { dry, body } = dryRun(request)
    const { credential, remoteAddress } = request
    const requested = { credential, body, remoteAddress, ownAddress: ownAddressOf(request) }
    return dry ? answer(preview(requested), okResponse) : answer(register(requested), encode)
  }
}
