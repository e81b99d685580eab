import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Dispatcher } from 'undici'
import { hostOf, parseHttpsUrl } from './https-url.js'
import { type OutboundFailure, failureOf } from './outbound-failure.js'
import type { OutboundOptions } from './outbound-options.js'
import { type OutboundResponse, readResponse } from './read-response.js'
import { isLoopbackAddress } from './is-public-address.js'
import { resolveHost } from './resolve-host.js'
import { createLimiter } from './limiter.js'
import { withTimeout } from './with-timeout.js'

export type OutboundRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<Lowercase<string>, string>>
  readonly body?: string
  /** The holder of the place. */
  readonly holder: string
}

/** Sends one request; a Left says why there is no response. */
export type SafeFetch<A = OutboundResponse> = (request: OutboundRequest) => TE.TaskEither<OutboundFailure, A>

/** Reads a response; the connection ends afterwards. */
type Read<A> = (response: Dispatcher.ResponseData) => Promise<A>

// The HTTP client is as large as the rest of the bundle, so that only services that send requests load it. They load it
// at start, because a new build removes the file of a running service.
const loadClient = async () => import('./connect-to.js')

const fixedHeaders = { 'user-agent': 'Clientele' }

type Sending<A> = {
  readonly options: OutboundOptions
  readonly read: Read<A>
  readonly client: ReturnType<typeof loadClient>
}

type Connect = Awaited<ReturnType<typeof loadClient>>['connectTo']
type Way = { readonly connectTo: Connect; readonly addresses: ReadonlyArray<string> }

// Failures before the request is sent are not failures of the host.
const findWay = <A>(url: URL, { options, client }: Sending<A>): TE.TaskEither<OutboundFailure, Way> =>
  TE.tryCatch(
    () =>
      withTimeout(options.timeLimit, 'address', async (signal) => {
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
  traceHeaders: OutboundRequest['headers'],
): Promise<A> => {
  try {
    const path = url.pathname + url.search
    const fields = { ...headers, ...traceHeaders, ...fixedHeaders }
    const sent = { path, method, headers: fields, body: body ?? null, signal, reset: true }
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
      withTimeout(options.timeLimit, 'answer', (signal) =>
        options.traced({ method: request.method, host: url.host }, (traceHeaders) =>
          exchange(connectTo(url, addresses, options, signal), url, request, read, signal, traceHeaders),
        ),
      ),
    failureOf('failed'),
  )

/** To the origin on loopback, only loopback addresses are allowed; to all others, those of the settings. */
const optionsTo = ({ origin }: URL, options: OutboundOptions): OutboundOptions =>
  origin === options.loopbackOrigin ? { ...options, allowsAddress: isLoopbackAddress } : options

/** Requests to hosts that other parties name: all rules against server-side request forgery are in this package. */
export const createSafeFetchOf = <A>(options: OutboundOptions, read: Read<A>): SafeFetch<A> => {
  const sending = { options, read, client: loadClient() }
  // Each request reports the failure; without a handler, it would be an unhandled rejection before the first request.
  sending.client.catch(() => undefined)
  const enter = createLimiter(options)
  const takePlace = (holder: string): TE.TaskEither<OutboundFailure, () => void> =>
    TE.tryCatch(() => withTimeout(options.timeLimit, 'place', (signal) => enter(holder, signal)), failureOf('unable'))
  return (request) =>
    pipe(
      TE.fromEither(parseHttpsUrl(request.url, options.loopbackOrigin)),
      TE.flatMap((url) =>
        TE.bracket(
          takePlace(request.holder),
          () => {
            const sendingTo = { ...sending, options: optionsTo(url, options) }
            return pipe(
              findWay(url, sendingTo),
              TE.flatMap((way) => ask(url, request, way, sendingTo)),
            )
          },
          (leave) => TE.fromIO(leave),
        ),
      ),
    )
}

/** The same, for responses that are read completely. */
export const createSafeFetch = (options: OutboundOptions): SafeFetch => createSafeFetchOf(options, readResponse)
