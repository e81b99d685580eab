import type { ClientList, Unavailable } from '@clientele/domain'
import { listClients, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** Every client as one JSON array, streamed; one that cannot be read is named by its id, there and in the log. */
export const getClients = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const list = listClients(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(
      pipe(
        list({ credential: credentialOf(request) }),
        TE.flatMap((clients) => begun(jsonArray(clients, ports.logUnreadable))),
      ),
      (chunks) => ({
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: { kind: 'stream', chunks },
      }),
    )
}

// So that a long list costs few writes, clients are told in chunks of about this many characters, after the first.
const chunkLength = 32_768

/** What is told of each client, as one JSON array in chunks. */
export async function* jsonArray<Told>(
  { clients, informationOf }: ClientList<Told>,
  logUnreadable: HttpPorts['logUnreadable'],
): AsyncGenerator<string> {
  let [chunk, separator, enough] = ['[', '', 0]
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

// So that a store that fails at once is told by the status, the first chunk is made before the answer begins.
export const begun = (chunks: AsyncGenerator<string>): TE.TaskEither<Unavailable, AsyncIterable<string>> =>
  pipe(
    TE.tryCatch(() => chunks.next(), unavailable),
    TE.map((first) => continued(first, chunks)),
  )

// Whoever leaves before the first chunk ends the list in the store, too, as a generator that was not begun would not.
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
