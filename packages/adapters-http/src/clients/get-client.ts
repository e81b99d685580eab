import { readClient } from '@clientele/domain/operations'
import { type Handler, answer } from '../http/handler.js'
import { representationResponse } from '../http/response.js'
import { aboutNamed, recognizing } from '../http/actor.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** RFC 7592 §2.1 */
export const getClient = (settings: HttpSettings, ports: ServicePorts): Handler => {
  const read = readClient(settings.registration, ports)
  return async ({ credential, id, method, remoteAddress, origin }) => {
    const { recognized, attribute } = recognizing(credential, 'registration_access_token')
    const requested = { credential, recognized, clientId: id, isSafe: method === 'HEAD', remoteAddress, origin }
    return attribute(aboutNamed(id)(await answer(read(requested), representationResponse)))
  }
}
