import { previewUpdate, updateClient } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodeClientInformation, encodePreview } from './client-information-response.js'

/** RFC 7592 §2.2 */
export const putClient = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const update = updateClient(settings.registration, ports)
  const preview = previewUpdate(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) => {
    const { dry, body } = dryRun(request)
    const asked = { credential: credentialOf(request), clientId: request.params['id'] ?? '', body }
    return dry ? answer(preview(asked), encodePreview) : answer(update(asked), encodeClientInformation)
  }
}
