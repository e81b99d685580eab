import { readClient } from '@clientele/domain'
import { type Handler, answer } from '../http/handler.js'
import { okResponse } from '../http/response.js'
import type { ClientPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'

/** RFC 7592 §2.1 */
export const getClient = (settings: HttpSettings, ports: ClientPorts): Handler => {
  const read = readClient(settings.registration, ports)
  return ({ credential, id, method }) =>
    answer(read({ credential, clientId: id, isSafe: method === 'HEAD' }), okResponse)
}
