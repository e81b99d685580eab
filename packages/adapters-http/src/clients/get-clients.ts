import { listClients } from '@clientele/domain'
import { type OperatorHandler, answer } from '../http/handler.js'
import { streamedResponse } from '../http/response.js'
import type { ClientPorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { streamed } from './streamed-clients.js'

/** All clients, with their credentials. */
export const getClients = (settings: HttpSettings, ports: ClientPorts): OperatorHandler<'clients:read'> => {
  const list = listClients(settings.registration, ports)
  return (_request, operator) => answer(streamed(list(operator), ports), streamedResponse)
}
