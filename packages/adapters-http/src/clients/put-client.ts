import { previewUpdate, updateClient } from '@clientele/domain'
import * as T from 'fp-ts/lib/Task.js'
import { pipe } from 'fp-ts/lib/function.js'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpResponse } from '../http/response.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodeClientInformation, encodePreview } from './client-information-response.js'
import { withWarnings } from './with-warnings.js'

// A body is judged, and refused, only after the token has been found to open the client: it exists.
const aboutClient =
  (client_id: string) =>
  (response: HttpResponse): HttpResponse =>
    response.refusal !== undefined && [400, 403].includes(response.status)
      ? Object.assign({}, response, { refusal: { ...response.refusal, client_id } })
      : response

/** RFC 7592 §2.2 */
export const putClient = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const update = updateClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, encodeClientInformation)
  const preview = previewUpdate(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) => {
    const { dry, body } = dryRun(request)
    const { params, remoteAddress } = request
    const clientId = params['id'] ?? ''
    const asked = { credential: credentialOf(request), clientId, body, remoteAddress }
    return pipe(
      dry ? answer(preview(asked), encodePreview) : answer(update(asked), encode),
      T.map(aboutClient(clientId)),
    )
  }
}
