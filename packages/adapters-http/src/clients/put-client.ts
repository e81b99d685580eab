import { repeatedMembers } from '@clientele/domain/client'
import { previewUpdate, updateClient } from '@clientele/domain/operations'
import { type Handler, dryRun, answer } from '../http/handler.js'
import { type HttpResponse, okResponse, representationResponse } from '../http/response.js'
import { readIfMatch } from '../http/if-match.js'
import { refusalStatuses } from '../http/statuses.js'
import { aboutClient, recognizing } from '../http/actor.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './with-warnings.js'

const judgedBody: ReadonlyArray<number> = [refusalStatuses.invalid_request, refusalStatuses.insufficient_scope]

// The body is judged only after the token has authorized the request: the client exists.
export const aboutJudged = (client_id: string, response: HttpResponse): HttpResponse =>
  response.refusal === undefined || judgedBody.includes(response.status) ? aboutClient(response, client_id) : response

/** RFC 7592 §2.2 */
export const putClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const update = updateClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, repeatedMembers, representationResponse)
  const preview = previewUpdate(settings.registration, ports)
  return async (request) => {
    const { dry, body } = dryRun(request)
    const { credential, id, remoteAddress, origin, headers } = request
    const ifMatch = readIfMatch(headers['if-match'])
    const { recognized, attribute } = recognizing(credential, 'registration_access_token')
    const requested = { credential, recognized, clientId: id, body, ifMatch, remoteAddress, origin }
    return attribute(
      aboutJudged(id, await (dry ? answer(preview(requested), okResponse) : answer(update(requested), encode(body)))),
    )
  }
}
