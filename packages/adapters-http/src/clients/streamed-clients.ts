// A list of clients as one JSON array, sent while the store is read.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import { type AuditWriting, type ClientList, unaudited } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { HttpRequest } from '../http/request.js'
import type { ServicePorts } from '../ports.js'

/** RFC 9110 §9.3.2: the answer to HEAD has no content, so that it leaves no audit row of a reading. */
export const readingBy = <Ports extends AuditWriting, Reading>(
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
 * Streams the projection of each client. A client that cannot be read is named by its id, here and in the log. The
 * first chunk is made before the answer begins, so that the status reports a store that fails at once.
 */
export const streamed =
  ({ logUnreadable }: Pick<ServicePorts, 'logUnreadable'>) =>
  <Reported, Listed>(list: ClientList<Reported, Listed>): TE.TaskEither<Unavailable, AsyncIterable<string>> => {
    const chunks = jsonArray(list, logUnreadable)
    return pipe(
      TE.tryCatch(() => chunks.next(), unavailable),
      TE.map((first) => continued(first, chunks)),
    )
  }
