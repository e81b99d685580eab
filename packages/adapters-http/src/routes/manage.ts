// What the operator does with clients, one by one and many at once: docs/managing-clients.md.
import type { AuditOrigin } from '@clientele/domain/audit'
import type { ManagementPrivilege, Operator } from '@clientele/domain/authorization'
import { repeatedMembers } from '@clientele/domain/client'
import type { Refusal } from '@clientele/domain/kernel'
import type { BulkChange } from '@clientele/domain/managing'
import {
  changeClients,
  importClients,
  listRemovedClients,
  patchClient,
  previewPatch,
  readClientSecrets,
  readListedClient,
  removeListedClient,
  renewCredentials,
  restoreClient,
  resumeClient,
  searchClients,
  suspendClient,
} from '@clientele/domain/operations'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type OperatorHandler, answer, dryRun } from '../http/handler.js'
import { readIfMatch } from '../http/header-fields.js'
import { type HttpResponse, noContent, okResponse, representationResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './clients.js'
import type { Family } from './route-kinds.js'

/** Changes members of a client, which keeps its credentials. */
const patching = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const patch = patchClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, repeatedMembers, representationResponse)
  const preview = previewPatch(settings.registration, ports)
  return (request, operator) => {
    const { dry, body } = dryRun(request)
    const { id, origin, headers } = request
    const requested = { operator, clientId: id, body, ifMatch: readIfMatch(headers['if-match']), origin }
    return dry ? answer(preview(requested), representationResponse) : answer(patch(requested), encode(body))
  }
}

type OfClient<Needed extends ManagementPrivilege> = {
  readonly operator: Operator<Needed>
  readonly clientId: string
  readonly origin: AuditOrigin
}

/** An operation on the client of the path that asks nothing else. */
const ofClient =
  <Needed extends ManagementPrivilege, Result>(
    operation: (asked: OfClient<Needed>) => TaskEither<Refusal, Result>,
    encode: (result: Result) => HttpResponse = okResponse,
  ): OperatorHandler<Needed> =>
  ({ id, origin }, operator) =>
    answer(operation({ operator, clientId: id, origin }), encode)

export const clientManagementRoutes: Family<'service'> = (settings, ports, operated) => {
  const take = importClients(settings.registration, ports)
  return [
    { ...operated('PATCH /manage/v1/clients/:id', patching(settings, ports)), takes: 'merge-patch' },
    operated('POST /clients/:id/suspension', ofClient(suspendClient(ports))),
    operated('DELETE /clients/:id/suspension', ofClient(resumeClient(ports))),
    // Renews both credentials.
    operated('POST /clients/:id/renewal', ofClient(renewCredentials(settings.registration, ports))),
    // One batch of an import: the outcome of each client, in their order.
    operated('POST /imported-clients', (request, operator) => {
      const { dry, body } = dryRun(request)
      return answer(take(operator)({ dryRun: dry, body, origin: request.origin }), (clients) => okResponse({ clients }))
    }),
  ]
}

export const managingRoutes: Family<'service'> = (_settings, ports, operated) => {
  const search = searchClients(ports)
  const read = readListedClient(ports)
  const readSecrets = readClientSecrets(ports)
  const listRemoved = listRemovedClients(ports)
  /** Counts or changes the clients that a filter selects. */
  const changing = (change: BulkChange): OperatorHandler<'clients:read' | 'clients:write'> => {
    const perform = changeClients(change, ports)
    return ({ body, origin }, operator) => answer(perform({ operator, origin, body }), okResponse)
  }
  return [
    // A page of the list, without credentials.
    operated('GET /manage/v1/clients', ({ query }, operator) => answer(search(operator)(query), okResponse)),
    operated('GET /manage/v1/clients/:id', ({ id }, operator) => answer(read(operator)(id), representationResponse)),
    operated('GET /manage/v1/clients/:id/secrets', (request, operator) =>
      answer(readSecrets(operator, request)(request.id), okResponse),
    ),
    // Removes a client with all that is recorded for it, as the bulk removal does.
    operated('DELETE /manage/v1/clients/:id', ofClient(removeListedClient(ports), noContent)),
    // Registers a client again that the service removed by itself, with its credentials.
    operated('POST /manage/v1/clients/:id/restoration', ofClient(restoreClient(ports))),
    // A page of the clients that the service removed by itself, and that can be restored.
    operated('GET /manage/v1/removals', ({ query }, operator) => answer(listRemoved(operator)(query), okResponse)),
    operated('POST /manage/v1/clients/suspension', changing('suspension')),
    operated('POST /manage/v1/clients/resumption', changing('resumption')),
    operated('POST /manage/v1/clients/removal', changing('removal')),
  ]
}
