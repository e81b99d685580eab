import { previewUpdate, updateClient } from '@clientele/domain'
import { presentedCredential } from '../http/bearer.js'
import { dryRun } from '../http/dry-run.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'
import { encodeClientInformation, encodePreview } from './client-information-response.js'
import { withWarnings } from './with-warnings.js'

/** RFC 7592 §2.2 */
export const putClient = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const update = updateClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, encodeClientInformation)
  const preview = previewUpdate(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) => {
    const { dry, body } = dryRun(request)
    const { params, remoteAddress } = request
    const asked = { credential: credentialOf(request), clientId: params['id'] ?? '', body, remoteAddress }
    return dry ? answer(preview(asked), encodePreview) : answer(update(asked), encode)
  }
}
