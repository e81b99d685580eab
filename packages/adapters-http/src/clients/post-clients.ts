import { presetMembers } from '@clientele/domain/client'
import { sourceOf, tooManyRequests } from '@clientele/domain/kernel'
import { identifyRegistrant, previewRegistration, registerClient } from '@clientele/domain/operations'
import type { ClientDescription, Representation } from '@clientele/domain/registration'
import * as E from 'fp-ts/lib/Either.js'
import { errorResponse } from '../http/error-response.js'
import { type Handler, answer, dryRun, forCaller } from '../http/handler.js'
import { type HttpResponse, jsonResponse, okResponse } from '../http/response.js'
import { readIdempotencyKey } from '../http/idempotency-key.js'
import { ownAddressOf } from '../http/own-address.js'
import { aboutClient } from '../http/actor.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './with-warnings.js'

// RFC 7591 §3.2.1 says 201, and RFC 9110 §10.2.2 then Location; the specification says 200
const encodeRegistered =
  (status: HttpSettings['registrationStatus']) =>
  ({ body, entityTag }: Representation<ClientDescription>): HttpResponse => {
    const location = status === 201 ? { Location: body.registration_client_uri } : {}
    return aboutClient(jsonResponse(status, body, { ETag: entityTag, ...location }), body.client_id)
  }

/** A registration without a token costs, whether or not its body is valid; a refused one does no work. */
const budgeted = (
  { registration: { mode } }: HttpSettings,
  { consumeBudget }: ServicePorts,
  handler: Handler,
): Handler =>
  mode.kind === 'managed'
    ? handler
    : async (request) => {
        if (request.credential.kind !== 'none') return handler(request)
        const consumed = await consumeBudget('registrations', sourceOf(request.remoteAddress))()
        return E.isLeft(consumed) ? errorResponse(tooManyRequests('registrations')(consumed.left)) : handler(request)
      }

/** RFC 7591 §3.1 */
export const postClients = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const identified = identifyRegistrant(ports)
  const register = registerClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, presetMembers, encodeRegistered(settings.registrationStatus))
  const preview = previewRegistration(settings.registration, ports)
  const handler = forCaller(
    'initial_access_token',
    ({ credential }) => identified(credential),
    (request, caller) => {
      const { remoteAddress, origin } = request
      const { dry, body } = dryRun(request)
      const requested = { caller, body, remoteAddress, ownAddress: ownAddressOf(request), origin }
      if (dry) return answer(preview(requested), okResponse)
      return answer(register({ ...requested, ...readIdempotencyKey(request) }), encode(body))
    },
  )
  return budgeted(settings, ports, handler)
}
