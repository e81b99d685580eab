import { deleteClient as deleteRegistered } from '@clientele/domain'
import { type Handler, answer } from '../http/handler.js'
import { noContent } from '../http/response.js'
import type { ClientPorts } from '../ports.js'

/** RFC 7592 §2.3 */
export const deleteClient = (ports: ClientPorts): Handler => {
  const remove = deleteRegistered(ports)
  return ({ credential, id }) => answer(remove({ credential, clientId: id }), noContent)
}
