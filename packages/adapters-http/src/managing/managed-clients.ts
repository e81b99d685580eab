// The operator's list of clients, and what it does with those that a filter selects: docs/managing-clients.md.
import type { BulkChange } from '@clientele/domain/managing'
import {
  changeClients,
  listRemovedClients,
  readClientSecrets,
  readListedClient,
  removeListedClient,
  restoreClient,
  searchClients,
} from '@clientele/domain/operations'
import { type OperatorHandler, answer } from '../http/handler.js'
import { noContent, okResponse, representationResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'

/** A page of the list, without credentials. */
export const getManagedClients = (ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const search = searchClients(ports)
  return ({ query }, operator) => answer(search(operator)(query), okResponse)
}

export const getManagedClient = (ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const read = readListedClient(ports)
  return ({ id }, operator) => answer(read(operator)(id), representationResponse)
}

export const getClientSecrets = (ports: ServicePorts): OperatorHandler<'clients:read' | 'clients:secrets'> => {
  const read = readClientSecrets(ports)
  return (request, operator) => answer(read(operator, request)(request.id), okResponse)
}

/** Removes a client with all that is recorded for it, as the bulk removal does. */
export const deleteManagedClient = (ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const remove = removeListedClient(ports)
  return ({ id, origin }, operator) => answer(remove({ operator, clientId: id, origin }), noContent)
}

/** A page of the clients that the service removed by itself, and that can be restored. */
export const getRemovals = (ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const list = listRemovedClients(ports)
  return ({ query }, operator) => answer(list(operator)(query), okResponse)
}

/** Registers such a client again, with its credentials. */
export const postRestoration = (ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const restore = restoreClient(ports)
  return ({ id, origin }, operator) => answer(restore({ operator, clientId: id, origin }), okResponse)
}

/** Counts or changes clients. */
export const postChange = (
  change: BulkChange,
  ports: ServicePorts,
): OperatorHandler<'clients:read' | 'clients:write'> => {
  const perform = changeClients(change, ports)
  return ({ body, origin }, operator) => answer(perform({ operator, origin, body }), okResponse)
}
