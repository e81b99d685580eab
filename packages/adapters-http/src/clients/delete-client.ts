import { deleteClient as deleteRegistered } from '@clientele/domain'
import { type Handler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import { aboutNamed, recognizing } from '../http/actor.js'
import type { ClientPorts } from '../ports.js'

/** RFC 7592 §2.3 */
export const deleteClient = (ports: ClientPorts): Handler => {
  const remove = deleteRegistered(ports)
  return async ({ credential, id, origin }) => {
    const { recognized, attribute } = recognizing(credential, 'registration_access_token')
    return attribute(aboutNamed(id)(await answer(remove({ credential, recognized, clientId: id, origin }), noContent)))
  }
}
