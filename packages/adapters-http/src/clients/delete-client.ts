import { deleteClient as deleteRegistered } from '@clientele/domain/operations'
import { type Handler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import { aboutNamed, recognizing } from '../http/actor.js'
import { readIfMatch } from '../http/if-match.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** RFC 7592 §2.3 */
export const deleteClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const remove = deleteRegistered(settings.registration, ports)
  return async ({ credential, id, origin, headers }) => {
    const { recognized, attribute } = recognizing(credential, 'registration_access_token')
    const ifMatch = readIfMatch(headers['if-match'])
    const requested = { credential, recognized, clientId: id, ifMatch, origin }
    return attribute(aboutNamed(id)(await answer(remove(requested), noContent)))
  }
}
