import { type ClientDescription, type Representation, warningsOf } from '@clientele/domain'
import type { HttpResponse } from '../http/response.js'
import type { ClientPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** The same answer, after the operator is warned of members that the service does not use. */
export const withWarnings = (
  settings: Pick<HttpSettings, 'registration'>,
  ports: Pick<ClientPorts, 'logWarnings'>,
  encode: (client: Representation<ClientDescription>) => HttpResponse,
): ((client: Representation<ClientDescription>) => HttpResponse) => {
  const warningsFor = warningsOf(settings.registration)
  return (client) => {
    const warnings = warningsFor(client.body)
    if (warnings.length > 0) ports.logWarnings(client.body.client_id, warnings)
    return encode(client)
  }
}
