import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import { hostOf, parseHttpsUrl } from './https-url.js'
import { type OutboundFailure, failureOf } from './outbound-failure.js'
import type { OutboundOptions } from './outbound-options.js'
import { type OutboundResponse, readResponse } from './read-response.js'
import { resolveHost } from './resolve-host.js'
import { createTurnstile } from './turnstile.js'
import { within } from './within.js'

export type OutboundRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<Lowercase<string>, string>>
  readonly body?: string
  /** Whose place it takes. */
  readonly holder: string
}

/** Sends one request; a Left says why there is no response. */
export type SafeFetch<A = OutboundResponse> = (request: OutboundRequest) => TE.TaskEither<OutboundFailure, A>

/** What is kept of a response; the connection ends when it is known. */
type Read<A> = (response: Dispatcher.ResponseData) => Promise<A>

// Because the client of HTTP is as large as all else together, it is loaded where something may be sent; and at once, because
// whoever builds the program anew takes the file away from the one that runs.
const loadClient = async () => import('./connect-to.js')

const fixedHeaders = { 'user-agent': 'Clientele' }

type Sending<A> = {
  readonly options: OutboundOptions
  readonly read: Read<A>
  readonly client: ReturnType<typeof loadClient>
}

type Connect = Awaited<ReturnType<typeof loadClient>>['connectTo']
type Way = { readonly connectTo: Connect; readonly addresses: ReadonlyArray<string> }

// Until the host itself is asked, what goes wrong is not its failure.
const findWay = <A>(url: URL, { options, client }: Sending<A>): TE.TaskEither<OutboundFailure, Way> =>
  TE.tryCatch(
    () =>
      within(options.timeLimit, 'address', async (signal) => {
        const [{ connectTo }, addresses] = await Promise.all([client, resolveHost(hostOf(url), options, signal)])
        return { connectTo, addresses }
      }),
    failureOf('unable'),
  )

const exchange = async <A>(
  client: Dispatcher,
  url: URL,
  { method, headers, body }: OutboundRequest,
  read: Read<A>,
  signal: AbortSignal,
): Promise<A> => {
  try {
    const path = url.pathname + url.search
    const sent = { path, method, headers: { ...headers, ...fixedHeaders }, body: body ?? null, signal, reset: true }
    return await read(await client.request(sent))
  } finally {
    await client.destroy()
  }
}

const ask = <A>(
  url: URL,
  request: OutboundRequest,
  { connectTo, addresses }: Way,
  { options, read }: Sending<A>,
): TE.TaskEither<OutboundFailure, A> =>
  TE.tryCatch(
    () =>
      within(options.timeLimit, 'answer', (signal) =>
        exchange(connectTo(url, addresses, options, signal), url, request, read, signal),
      ),
    failureOf('failed'),
  )

/** Requests to hosts that strangers name: the rules against server-side request forgery stand in this package alone. */
export const createSafeFetchOf = <A>(options: OutboundOptions, read: Read<A>): SafeFetch<A> => {
  const sending = { options, read, client: loadClient() }
  // Because it is told to each request, and none may have been made yet.
  sending.client.catch(() => undefined)
  const enter = createTurnstile(options)
  const takePlace = (holder: string): TE.TaskEither<OutboundFailure, () => void> =>
    TE.tryCatch(() => within(options.timeLimit, 'place', (signal) => enter(holder, signal)), failureOf('unable'))
  return (request) =>
    pipe(
      TE.fromEither(parseHttpsUrl(request.url)),
      TE.flatMap((url) =>
        TE.bracket(
          takePlace(request.holder),
          () =>
            pipe(
              findWay(url, sending),
              TE.flatMap((way) => ask(url, request, way, sending)),
            ),
          (leave) => TE.fromIO(leave),
        ),
      ),
    )
}

/** The same for responses that are read to their end. */
export const createSafeFetch = (options: OutboundOptions): SafeFetch => createSafeFetchOf(options, readResponse)
