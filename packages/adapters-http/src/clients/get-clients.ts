import { listClients, unknownParameter } from '@clientele/domain'
import { errorResponse } from '../http/error-response.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import { streamedResponse } from '../http/response.js'
import type { ClientPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { streamed } from './streamed-clients.js'

/** All clients, with their credentials. */
export const getClients = (settings: HttpSettings, ports: ClientPorts): OperatorHandler<'clients:read'> => {
  const list = listClients(settings.registration, ports)
  return ({ query }, operator) => {
    // A misspelled filter would answer with all clients.
    const unknown = unknownParameter(query, [])
    return unknown === undefined ? answer(streamed(list(operator), ports), streamedResponse) : errorResponse(unknown)
  }
}
