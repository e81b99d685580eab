import type { ClientList } from '@clientele/domain'
import { listClients } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { presentedCredential } from '../http/bearer.js'
import type { Handler } from '../http/handler.js'
import { answer } from '../http/handler.js'
import type { HttpPorts, HttpSettings } from '../settings.js'

/** Every client as one JSON array, streamed; a client that cannot be read is left out and told to the log. */
export const getClients = (settings: HttpSettings, ports: HttpPorts): Handler => {
  const list = listClients(settings.registration, ports)
  const credentialOf = presentedCredential({ masterToken: settings.masterToken, hashToken: ports.hashToken })
  return (request) =>
    answer(TE.fromEither(list({ credential: credentialOf(request) })), (clients) => ({
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { kind: 'stream', chunks: jsonArray(clients, ports.logUnreadable) },
    }))
}

// So that a long list costs few writes, clients are told in chunks of about this many characters.
const chunkLength = 32_768

async function* jsonArray(
  { clients, informationOf }: ClientList,
  logUnreadable: HttpPorts['logUnreadable'],
): AsyncGenerator<string> {
  let [chunk, separator] = ['[', '']
  for await (const client of clients) {
    if (E.isLeft(client)) logUnreadable(client.left.detail)
    else {
      chunk += separator + JSON.stringify(informationOf(client.right))
      separator = ','
    }
    if (chunk.length < chunkLength) continue
    yield chunk
    chunk = ''
  }
  yield `${chunk}]`
}
