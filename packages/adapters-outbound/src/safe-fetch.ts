import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { Client } from 'undici'
import { hostOf, parseHttpsUrl } from './https-url.js'
import type { OutboundOptions } from './outbound-options.js'
import { largestHeader, mostAtOnce, mostWaiting } from './outbound-options.js'
import { pinnedConnector } from './pinned-connector.js'
import type { OutboundResponse } from './read-response.js'
import { readResponse } from './read-response.js'
import { reasonOf } from './reason.js'
import { resolveHost } from './resolve-host.js'
import { createTurnstile } from './turnstile.js'
import { within } from './within.js'

export type OutboundRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<Lowercase<string>, string>>
  readonly body?: string
}

/** Sends one request; a Left says shortly, for the log, why there is no response. */
export type SafeFetch = (request: OutboundRequest) => TE.TaskEither<string, OutboundResponse>

const fixedHeaders = { 'user-agent': 'Clientele', accept: 'application/json' }

// A client of its own for each request: neither a connection nor a TLS session outlives the answer.
const connectTo = (
  { origin }: URL,
  addresses: ReadonlyArray<string>,
  options: OutboundOptions,
  signal: AbortSignal,
): Client =>
  new Client(origin, {
    connect: pinnedConnector(addresses, options, signal),
    maxHeaderSize: largestHeader,
    // Because the signal bounds the whole, the clocks of the parts stand still.
    headersTimeout: 0,
    bodyTimeout: 0,
  })

const exchange = async (
  url: URL,
  { method, headers, body }: OutboundRequest,
  options: OutboundOptions,
  signal: AbortSignal,
): Promise<OutboundResponse> => {
  const addresses = await resolveHost(hostOf(url), options)
  signal.throwIfAborted()
  const client = connectTo(url, addresses, options, signal)
  try {
    const path = url.pathname + url.search
    const sent = { path, method, headers: { ...headers, ...fixedHeaders }, body: body ?? null, signal, reset: true }
    return await readResponse(await client.request(sent))
  } finally {
    await client.destroy()
  }
}

/** Requests to hosts that strangers name: the rules against server-side request forgery stand in this package alone. */
export const createSafeFetch = (options: OutboundOptions): SafeFetch => {
  const enter = createTurnstile(mostAtOnce, mostWaiting)
  const send = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> => {
    const leave = await enter(signal)
    // Because a lookup cannot be called off, a request keeps its place until its lookup has ended, however late.
    try {
      return await exchange(url, request, options, signal)
    } finally {
      leave()
    }
  }
  return (request) =>
    pipe(
      TE.fromEither(parseHttpsUrl(request.url)),
      TE.flatMap((url) =>
        TE.tryCatch(() => within(options.timeLimit, (signal) => send(url, request, signal)), E.toError),
      ),
      TE.mapLeft(reasonOf),
    )
}
