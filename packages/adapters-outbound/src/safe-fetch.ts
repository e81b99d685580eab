import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import { hostOf, parseHttpsUrl } from './https-url.js'
import type { OutboundOptions } from './outbound-options.js'
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
export type SafeFetch<A = OutboundResponse> = (request: OutboundRequest) => TE.TaskEither<string, A>

/** What is kept of a response; the connection ends when it is known. */
type Read<A> = (response: Dispatcher.ResponseData) => Promise<A>

// Because the client of HTTP is as large as all else together, it is loaded where something may be sent; and at once, because
// whoever builds the program anew takes the file away from the one that runs.
const loadClient = async () => import('./connect-to.js')

type Sending<A> = {
  readonly options: OutboundOptions
  readonly read: Read<A>
  readonly client: ReturnType<typeof loadClient>
}

const fixedHeaders = { 'user-agent': 'Clientele' }

const exchange = async <A>(
  url: URL,
  { method, headers, body }: OutboundRequest,
  { options, read, client: loading }: Sending<A>,
  signal: AbortSignal,
): Promise<A> => {
  const [{ connectTo }, addresses] = await Promise.all([loading, resolveHost(hostOf(url), options)])
  signal.throwIfAborted()
  const client = connectTo(url, addresses, options, signal)
  try {
    const path = url.pathname + url.search
    const sent = { path, method, headers: { ...headers, ...fixedHeaders }, body: body ?? null, signal, reset: true }
    return await read(await client.request(sent))
  } finally {
    await client.destroy()
  }
}

/** Requests to hosts that strangers name: the rules against server-side request forgery stand in this package alone. */
export const createSafeFetchOf = <A>(options: OutboundOptions, read: Read<A>): SafeFetch<A> => {
  const client = loadClient()
  // Because it is told to each request, and none may have been made yet.
  client.catch(() => undefined)
  const enter = createTurnstile(options.mostAtOnce, options.mostWaiting)
  const send = async (url: URL, request: OutboundRequest, signal: AbortSignal): Promise<A> => {
    const leave = await enter(signal)
    // Because a lookup cannot be called off, a request keeps its place until its lookup has ended, however late.
    try {
      return await exchange(url, request, { options, read, client }, signal)
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

/** The same for responses that are read to their end. */
export const createSafeFetch = (options: OutboundOptions): SafeFetch => createSafeFetchOf(options, readResponse)
