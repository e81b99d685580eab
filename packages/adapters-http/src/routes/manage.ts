// What the operator does with clients and connections, one by one and many at once: docs/operate/operators.md#managing-clients.
import type { AuditOrigin } from '@clientele/domain/audit'
import type { ManagementPrivilege, Operator } from '@clientele/domain/authorization'
import { echoedMembers } from '@clientele/domain/client'
import { type Refusal, type Unavailable, unavailable } from '@clientele/domain/kernel'
import { type BulkChange, readRefusalReason, unknownParameter } from '@clientele/domain/managing'
import {
  type AuditWriting,
  type ClientList,
  addClientSecret,
  approveClient,
  changeClients,
  dropPrecedingSecret,
  endPrecedingSecret,
  exportClients,
  importClients,
  judgeClients,
  listClientSecrets,
  listClients,
  listConnections,
  listRefusals,
  listRemovedClients,
  patchClient,
  previewPatch,
  readClientSecrets,
  readConnection,
  readListedClient,
  refuseClient,
  removeListedClient,
  renewCredentials,
  restoreClient,
  resumeClient,
  revokeConnection,
  revokeConnections,
  searchClients,
  suspendClient,
  unaudited,
} from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type IfMatch, warningsOf } from '@clientele/domain/registration'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type HttpRequest, flagIn, readIfMatch } from '../http/request.js'
import {
  type HttpResponse,
  errorResponse,
  noContent,
  okResponse,
  representationResponse,
  streamedResponse,
} from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import { withWarnings } from './clients.js'
import { type Family, type OperatorHandler, answer, dryRun } from './route.js'

/** RFC 9110 §9.3.2: the answer to HEAD has no content, so that it leaves no audit row of a reading. */
const readingBy = <Ports extends AuditWriting, Reading>(
  ports: Ports,
  read: (ports: Ports) => Reading,
): ((request: Pick<HttpRequest, 'method'>) => Reading) => {
  const audited = read(ports)
  const withoutContent = read({ ...ports, ...unaudited })
  return ({ method }) => (method === 'HEAD' ? withoutContent : audited)
}

// The approximate length of a chunk after the first, in characters; longer chunks make fewer writes.
const chunkLength = 32_768

async function* jsonArray<Reported, Listed>(
  { clients, informationOf }: ClientList<Reported, Listed>,
  logUnreadable: ServicePorts['logUnreadable'],
): AsyncGenerator<string> {
  let chunk = '['
  let separator = ''
  let enough = 0
  for await (const client of clients) {
    if (E.isRight(client)) chunk += separator + JSON.stringify(informationOf(client.right))
    else if (client.left.error === 'unreadable_client') {
      chunk += separator + JSON.stringify({ client_id: client.left.client_id, unreadable: true })
      logUnreadable(client.left)
    } else throw new Error('the store cannot go on with the list', { cause: client.left.detail })
    separator = ','
    if (chunk.length < enough) continue
    yield chunk
    ;[chunk, enough] = ['', chunkLength]
  }
  yield `${chunk}]`
}

// The store's list must be ended directly: return() of a generator that has not started does not run its code.
const continued = (first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => {
    const waiting = [first]
    return {
      next: () => {
        const next = waiting.pop()
        return next === undefined ? rest.next() : Promise.resolve(next)
      },
      return: () => rest.return(undefined),
    }
  },
})

/**
 * Answers with the projection of each client. A client that cannot be read is named by its id, here and in the log. The
 * first chunk is made before the answer begins, so that the status reports a store that fails at once.
 */
const answerWith = <Reported, Listed>(
  found: TE.TaskEither<Refusal, ClientList<Reported, Listed>>,
  { logUnreadable }: ServicePorts,
): Promise<HttpResponse> => {
  const begin = (list: ClientList<Reported, Listed>): TE.TaskEither<Unavailable, AsyncIterable<string>> => {
    const chunks = jsonArray(list, logUnreadable)
    return pipe(
      TE.tryCatch(() => chunks.next(), unavailable),
      TE.map((first) => continued(first, chunks)),
    )
  }
  return answer(pipe(found, TE.flatMap(begin)), streamedResponse)
}

/** All clients, with their credentials. */
export const getClients = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:read'> => {
  const listFor = readingBy(ports, (by) => listClients(settings.registration, by))
  return (request, operator) => {
    // A misspelled filter would answer with all clients.
    const unknown = unknownParameter(request.query, [])
    return unknown === undefined ? answerWith(listFor(request)(operator, request), ports) : errorResponse(unknown)
  }
}

const clientListRoutes: Family<'service'> = (settings, ports, operated) => {
  const judge = judgeClients(settings.registration, ports)
  const exportFor = readingBy(ports, exportClients)
  return [
    // All clients under the policy in the body, with their violations and without secrets.
    operated('POST', '/registration-policy/judgement', ['clients:read'], ({ body }, operator) =>
      answerWith(TE.fromEither(judge({ operator, body })), ports),
    ),
    // All clients in the format of an export; with secrets=true also their credentials.
    operated('GET', '/exported-clients', ['clients:read', 'clients:secrets'], (request, operator) => {
      const secrets = flagIn(request.query, 'secrets')
      return E.isLeft(secrets)
        ? errorResponse(secrets.left)
        : answerWith(exportFor(request)(operator, request)({ secrets: secrets.right }), ports)
    }),
  ]
}

/** Changes members of a client, which keeps its credentials. */
const patching = (settings: HttpSettings, ports: ServicePorts): OperatorHandler<'clients:write'> => {
  const patch = patchClient(settings.registration, ports)
  const encode = withWarnings(settings, ports, echoedMembers, representationResponse)
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
  readonly ifMatch: IfMatch
  readonly origin: AuditOrigin
}

const namedBy = <Needed extends ManagementPrivilege>(
  { id, origin, headers }: Pick<HttpRequest, 'id' | 'origin' | 'headers'>,
  operator: Operator<Needed>,
): OfClient<Needed> => ({ operator, clientId: id, ifMatch: readIfMatch(headers['if-match']), origin })

/** An operation on the client of the path, in the version that the request may name, that asks nothing else. */
const ofClient =
  <Needed extends ManagementPrivilege, Result>(
    operation: (asked: OfClient<Needed>) => TaskEither<Refusal, Result>,
    encode: (result: Result) => HttpResponse = okResponse,
  ): OperatorHandler<Needed> =>
  (request, operator) =>
    answer(operation(namedBy(request, operator)), encode)

const clientManagementRoutes: Family<'service'> = (settings, ports, operated) => {
  const take = importClients(settings.registration, ports)
  return [
    // The answer has the credentials of the client only for an operator who may see them.
    operated('PATCH', '/manage/v1/clients/:id', ['clients:write'], patching(settings, ports), {
      takes: 'merge-patch',
      runsDry: 'query',
    }),
    operated('POST', '/clients/:id/suspension', ['clients:write'], ofClient(suspendClient(ports))),
    operated('DELETE', '/clients/:id/suspension', ['clients:write'], ofClient(resumeClient(ports))),
    // Renews both credentials.
    operated(
      'POST',
      '/clients/:id/renewal',
      ['clients:write', 'clients:secrets'],
      ofClient(renewCredentials(settings.registration, ports)),
    ),
    // One batch of an import: the outcome of each client, in their order.
    operated(
      'POST',
      '/imported-clients',
      ['clients:write', 'clients:secrets', 'tokens'],
      (request, operator) => {
        const { dry, body } = dryRun(request)
        const taken = take(operator)({ dryRun: dry, body, origin: request.origin })
        return answer(taken, (clients) => okResponse({ clients }))
      },
      { runsDry: 'query' },
    ),
  ]
}

const managedClientRoutes: Family<'service'> = (settings, ports, operated) => {
  const search = searchClients(ports)
  const read = readListedClient(settings.registration, ports)
  const readSecrets = readClientSecrets(ports)
  const listRemoved = listRemovedClients(ports)
  const refuse = refuseClient(ports)
  const refused = listRefusals(ports)
  const warnings = warningsOf(settings.registration)
  /** Counts or changes the clients that a filter selects. */
  const changing = (change: BulkChange) => {
    const perform = changeClients(change, ports, warnings)
    return operated(
      'POST',
      `/manage/v1/clients/${change}`,
      ['clients:read', 'clients:write'],
      ({ body, origin }, operator) => answer(perform({ operator, origin, body }), okResponse),
      { runsDry: 'body' },
    )
  }
  return [
    // A page of the list, without credentials.
    operated('GET', '/manage/v1/clients', ['clients:read'], ({ query }, operator) =>
      answer(search(operator)(query), okResponse),
    ),
    operated('GET', '/manage/v1/clients/:id', ['clients:read'], ({ id }, operator) =>
      answer(read(operator)(id), representationResponse),
    ),
    operated('GET', '/manage/v1/clients/:id/secrets', ['clients:read', 'clients:secrets'], (request, operator) =>
      answer(readSecrets(operator, request)(request.id), okResponse),
    ),
    // Removes a client with all that is recorded for it, as the bulk removal does.
    operated(
      'DELETE',
      '/manage/v1/clients/:id',
      ['clients:write'],
      ofClient(removeListedClient(settings.registration, ports), noContent),
    ),
    // A client that waits for the decision of an operator.
    operated('POST', '/manage/v1/clients/:id/approval', ['clients:write'], ofClient(approveClient(ports, warnings))),
    operated('POST', '/manage/v1/clients/:id/refusal', ['clients:write'], (request, operator) =>
      answer(
        pipe(
          TE.fromEither(E.flatMap(readRefusalReason)(request.body)),
          TE.flatMap((reason) => refuse({ ...namedBy(request, operator), reason })),
        ),
        okResponse,
      ),
    ),
    // Registers a client again that the service removed by itself, with its credentials.
    operated('POST', '/manage/v1/clients/:id/restoration', ['clients:write'], ofClient(restoreClient(ports))),
    // A page of the clients that the service removed by itself, and that can be restored.
    operated('GET', '/manage/v1/removals', ['clients:read'], ({ query }, operator) =>
      answer(listRemoved(operator)(query), okResponse),
    ),
    ...(['suspension', 'resumption', 'approval', 'refusal', 'removal'] as const).map(changing),
    // What the doors of clients refused lately: docs/operate/observe.md.
    operated('GET', '/manage/v1/refusals', ['clients:read'], ({ query }, operator) =>
      answer(refused(operator)(query), okResponse),
    ),
  ]
}

/** The client_secrets of a client while it changes from one to another: docs/use/register.md. */
const clientSecretRoutes: Family<'service'> = (settings, ports, operated) => {
  const list = listClientSecrets(ports)
  const add = addClientSecret(settings.registration, ports)
  const end = endPrecedingSecret(ports)
  const path = '/manage/v1/clients/:id/client-secrets'
  return [
    operated('GET', path, ['clients:read'], ({ id }, operator) => answer(list(operator)(id), okResponse)),
    // The answer has the new secret.
    operated('POST', path, ['clients:write', 'clients:secrets'], (request, operator) =>
      answer(add({ ...namedBy(request, operator), body: request.body }), okResponse),
    ),
    operated('PUT', `${path}/preceding`, ['clients:write'], (request, operator) =>
      answer(end({ ...namedBy(request, operator), body: request.body }), okResponse),
    ),
    operated('DELETE', `${path}/preceding`, ['clients:write'], ofClient(dropPrecedingSecret(ports))),
  ]
}

/** What end-users granted to applications: docs/operate/operators.md#connections. */
const connectionRoutes: Family<'service'> = (_settings, ports, operated) => {
  const list = listConnections(ports)
  const read = readConnection(ports)
  const revoke = revokeConnection(ports)
  const revokeAll = revokeConnections(ports)
  return [
    operated('GET', '/manage/v1/connections', ['connections:read'], ({ query }, operator) =>
      answer(list(operator)(query), okResponse),
    ),
    operated('GET', '/manage/v1/connections/:id', ['connections:read'], ({ id }, operator) =>
      answer(read(operator)(id), okResponse),
    ),
    operated('DELETE', '/manage/v1/connections/:id', ['connections:write'], ({ id, origin }, operator) =>
      answer(revoke({ operator, id, origin }), noContent),
    ),
    // Counts or revokes the connections that a filter selects.
    operated(
      'POST',
      '/manage/v1/connections/revocation',
      ['connections:read', 'connections:write'],
      ({ body, origin }, operator) => answer(revokeAll({ operator, origin, body }), okResponse),
      { runsDry: 'body' },
    ),
  ]
}

const families = [clientManagementRoutes, clientListRoutes, managedClientRoutes, clientSecretRoutes, connectionRoutes]

export const managingRoutes: Family<'service'> = (...given) => families.flatMap((family) => family(...given))
