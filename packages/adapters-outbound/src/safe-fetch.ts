// One request to a host that another party names: all rules against server-side request forgery are in this package.
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isIP } from 'node:net'
import type { Dispatcher } from 'undici'
import { isLoopbackAddress } from './addresses.js'
import { createLimiter } from './limiter.js'
import { type OutboundFailure, OutboundError, failureOf } from './outbound-failure.js'
import type { OutboundOptions } from './outbound-options.js'

export type OutboundRequest = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<Lowercase<string>, string>>
  readonly body?: string
  /** The holder of the place. */
  readonly holder: string
}

export type OutboundResponse = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends one request; a Left says why there is no response. */
export type SafeFetch<A> = (request: OutboundRequest) => TE.TaskEither<OutboundFailure, A>

const refused = (reason: string): E.Either<OutboundFailure, never> => E.left({ kind: 'forbidden', reason })

// RFC 6761 §6.3, RFC 1122 §3.2.1.3
const isHttpOnLoopback = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && (hostname === 'localhost' || isLoopbackAddress(hostname.replace(/^\[|\]$/g, '')))

type Permitted = Pick<OutboundOptions, 'loopbackOrigin' | 'httpOnLoopback'>

/** An https URL, or a permitted one, without userinfo, whose port is the default one or not reserved (RFC 6335 §6). */
const parseUrl = (text: string, { loopbackOrigin, httpOnLoopback }: Permitted): E.Either<OutboundFailure, URL> => {
  if (!URL.canParse(text)) return refused('this is no URL')
  const url = new URL(text)
  const isPermitted = url.origin === loopbackOrigin || (httpOnLoopback && isHttpOnLoopback(url))
  if (url.protocol !== 'https:' && !isPermitted) return refused('the scheme is not https')
  if (url.username !== '' || url.password !== '') return refused('the URL holds userinfo')
  // The parser removes the default port of the scheme.
  return url.port === '' || Number(url.port) >= 1024
    ? E.right(url)
    : refused('the URL names a port other than 443 and 1024 to 65535')
}

export const specialPurpose =
  'the host has a special-purpose address: set outbound-allowed-networks if it may be reached nevertheless'

/** The addresses of the host. If one of them is not allowed, the host is refused. */
const resolveHost = async (
  { hostname }: URL,
  { lookup, allowsAddress, servers, lookupTimeout }: OutboundOptions,
  signal: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  // RFC 3986 §3.2.2: an IPv6 address stands in brackets.
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await lookup(host, { servers, lookupTimeout, signal }) : [host]
  if (addresses.length === 0) throw new OutboundError('failed', 'the host has no address')
  if (!addresses.every(allowsAddress)) throw new OutboundError('forbidden', specialPurpose)
  return addresses
}

/** The result of the work, or a rejection at the time limit, which also aborts the signal of the work. */
const withTimeout = async <Result>(
  timeLimit: number,
  awaited: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> => {
  const controller = new AbortController()
  const { signal } = controller
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error(`no ${awaited} within ${timeLimit} ms`)), { once: true })
  })
  const timer = setTimeout(() => controller.abort(), timeLimit)
  try {
    return await Promise.race([work(signal), late])
  } finally {
    clearTimeout(timer)
  }
}

// The HTTP client is as large as the rest of the bundle, so that only services that send requests load it. They load it
// at start, because a new build removes the file of a running service.
const loadClient = async () => import('./connect-to.js')

const exchange = async <A>(
  client: Dispatcher,
  sent: Dispatcher.RequestOptions,
  read: (response: Dispatcher.ResponseData) => Promise<A>,
): Promise<A> => {
  try {
    return await read(await client.request(sent))
  } finally {
    await client.destroy()
  }
}

/** Sends requests by the options. `read` reads a response; the connection ends afterwards. */
export const createSafeFetch = <A>(
  options: OutboundOptions,
  read: (response: Dispatcher.ResponseData) => Promise<A>,
): SafeFetch<A> => {
  const { timeLimit, loopbackOrigin, traced } = options
  const loading = loadClient()
  // Each request reports the failure; without a handler, it would be an unhandled rejection before the first request.
  loading.catch(() => undefined)
  const enter = createLimiter(options)
  const step = <Result>(
    kind: OutboundFailure['kind'],
    awaited: string,
    work: (signal: AbortSignal) => Promise<Result>,
  ): TE.TaskEither<OutboundFailure, Result> =>
    TE.tryCatch(
      () => withTimeout(timeLimit, awaited, work),
      (error) => failureOf(kind, error),
    )

  const send = (url: URL, { method, headers, body }: OutboundRequest): TE.TaskEither<OutboundFailure, A> => {
    // To the origin on loopback, only loopback addresses are allowed; to all others, those of the settings.
    const allowing = url.origin === loopbackOrigin ? { ...options, allowsAddress: isLoopbackAddress } : options
    return pipe(
      // Failures before the request is sent are not failures of the host.
      step('unable', 'address', (signal) => Promise.all([loading, resolveHost(url, allowing, signal)])),
      TE.flatMap(([{ connectTo }, addresses]) =>
        step('failed', 'answer', (signal) =>
          traced({ method, host: url.host }, (traceHeaders) => {
            const fields = { ...headers, ...traceHeaders, 'user-agent': 'Clientele' }
            const path = url.pathname + url.search
            const sent = { path, method, headers: fields, body: body ?? null, signal, reset: true }
            return exchange(connectTo(url, addresses, allowing, signal), sent, read)
          }),
        ),
      ),
    )
  }

  return (request) =>
    pipe(
      TE.fromEither(parseUrl(request.url, options)),
      TE.flatMap((url) =>
        TE.bracket(
          step('unable', 'place', (signal) => enter(request.holder, signal)),
          () => send(url, request),
          (leave) => TE.fromIO(leave),
        ),
      ),
    )
}

const maxBody = 65_536
const storedHeaders = ['content-type', 'cache-control']
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value of a field, or all of its values as one list. */
export const header = (headers: Dispatcher.ResponseData['headers'], name: string): string =>
  [headers[name] ?? []].flat().join(', ')

/** An unread body may emit an error later; without a listener, it would end the process. */
export const ignoreLateErrors = ({ body }: Dispatcher.ResponseData): void => {
  body.on('error', () => undefined)
}

/** RFC 9110 §15.4: redirections need not be followed. */
export const refuseRedirection = (status: number): void => {
  if (status >= 300 && status < 400) throw new Error(`the status is ${status}: redirections are not followed`)
}

/** The content of a response without content coding, of limited size; or a rejection with its fault. */
export const readContent = async ({ headers, body }: Dispatcher.ResponseData): Promise<Buffer> => {
  // RFC 9110 §12.5.3: the request accepts no content coding
  if (!['', 'identity'].includes(header(headers, 'content-encoding').trim().toLowerCase()))
    throw new Error('the response has a Content-Encoding')
  if (Number(header(headers, 'content-length')) > maxBody) throw new Error('the Content-Length is too large')
  const content: AsyncIterable<Uint8Array> = body
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of content) {
    size += chunk.length
    if (size > maxBody) throw new Error('the body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export const decodeUtf8 = (bytes: Uint8Array): string => {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw new Error('the body is not well-formed UTF-8')
  }
}

/** The complete response, or a rejection with its fault. */
export const readResponse = async (response: Dispatcher.ResponseData): Promise<OutboundResponse> => {
  ignoreLateErrors(response)
  const { statusCode: status, headers } = response
  refuseRedirection(status)
  const body = decodeUtf8(await readContent(response))
  return { status, headers: Object.fromEntries(storedHeaders.map((name) => [name, header(headers, name)])), body }
}
