// Lists of all clients, each as one JSON array that is sent while the store is read.
import { type Refusal, type Unavailable, invalidRequest, unavailable } from '@clientele/domain/kernel'
import { unknownParameter } from '@clientele/domain/managing'
import {
  type AuditWriting,
  type ClientList,
  exportClients,
  judgeClients,
  listClients,
  unaudited,
} from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { errorResponse } from '../http/error-response.js'
import { type OperatorHandler, answer } from '../http/handler.js'
import type { HttpRequest } from '../http/request.js'
import { type HttpResponse, streamedResponse } from '../http/response.js'
import type { ServicePorts } from '../ports.js'
import type { HttpSettings } from '../settings.js'
import type { Family } from './route-kinds.js'

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

const badQuery = invalidRequest('secrets must be true or false, and stand once')

export const clientListRoutes: Family<'service'> = (settings, ports, operated) => {
  const judge = judgeClients(settings.registration, ports)
  const exportFor = readingBy(ports, exportClients)
  return [
    // All clients under the policy in the body, with their violations and without secrets.
    operated('POST /registration-policy/judgement', ({ body }, operator) =>
      answerWith(TE.fromEither(judge({ operator, body })), ports),
    ),
    // All clients in the format of an export; with secrets=true also their credentials.
    operated('GET /exported-clients', (request, operator) => {
      const [secrets = 'false', ...more] = request.query['secrets'] ?? []
      return more.length > 0 || !['true', 'false'].includes(secrets)
        ? errorResponse(badQuery)
        : answerWith(exportFor(request)(operator, request)({ secrets: secrets === 'true' }), ports)
    }),
  ]
}
