/**
 * The service as `(request: Request) => Promise<Response>`, with web standards only: it mounts in Hono, Deno, Bun,
 * Workers, and through a bridge in Express and node:http. Routes, rules and answers are those of the listener of
 * `@clientele/adapters-http`: both shells share one core.
 *
 * A request's `url` is absolute and contains the path of the service, `HttpSettings.basePath` included: a host that
 * mounts the handler below a path must not remove that path. Times are whole seconds, except `duration_ms` in the log.
 * Construction cannot fail; every refusal and every defect is a Response. The handler rejects only if a port throws
 * that must not (`requestId`, `log`, `remoteAddress`).
 *
 * The platform changes some requests before the handler receives them: its URL parser removes dot segments of a path
 * (`/clients/../keys` is `/keys`, and `%2e` is a dot), reads `\` as `/`, and percent-encodes forbidden characters; some
 * hosts drop the second of two Authorization fields. The handler does not read the rest of a body that is too large;
 * the host decides about its connection.
 */
import * as E from 'fp-ts/lib/Either.js'
import { type ReadBytes, type ReceivedRequest, type UnreadBody, fieldNames, maxBodyBytes } from './http/request.js'
import { type Chunks, type ResponseHeaders, cancel, utf8 } from './http/response.js'
import type { HttpPorts, ShellPorts } from './ports.js'
import { type Route, createFind } from './routes/route.js'
import { type Served, managementRoutes, publicRoutes } from './routes.js'
import { type Answer, type ServeSettings, begin, createServing, ending } from './serve.js'
import type { HttpSettings } from './settings.js'

export { type PageRenderer } from './pages/page.js'
export type { Served } from './routes.js'
export { defaultKeySettings, settingsWithDefaults } from './settings.js'
export type {
  HealthPorts,
  HttpLogEntry,
  HttpPorts,
  KeyPorts,
  ServicePorts,
  ShellPorts,
  SignInPorts,
  Traced,
} from './ports.js'
export type { Actor } from './http/response.js'
export { parseRequestId } from './http/request.js'
export { formatTraceParent, parseTraceParent, type TraceContext } from './trace-context.js'
export type { HttpSettings, LogoutSettings, PublishedDocument } from './settings.js'

type Bytes = E.Either<UnreadBody, Uint8Array>
type Reader = ReadableStreamDefaultReader<Uint8Array>

const firstLength = 1_024

// The client chooses the sizes of the pieces. They are copied, because a stored piece of one byte takes a hundred.
const withRoom = (bytes: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> => {
  if (length <= bytes.length) return bytes
  const larger = new Uint8Array(Math.max(length, 2 * bytes.length))
  larger.set(bytes)
  return larger
}

const readAll = async (reader: Reader, maxLength: number): Promise<Bytes> => {
  let bytes = new Uint8Array(firstLength)
  let length = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return E.right(bytes.subarray(0, length))
    const before = length
    length += value.length
    if (length > maxLength) return E.left('too_large')
    bytes = withRoom(bytes, length)
    bytes.set(value, before)
  }
}

const readWhole = async (reader: Reader, maxLength: number): Promise<Bytes> => {
  try {
    return await readAll(reader, maxLength)
  } catch {
    return E.left('ended_early')
  }
}

// The host handles the rest of the body, and failures of it are ignored.
const leave = (source: Pick<Reader, 'cancel'>): void => void source.cancel().catch(() => undefined)

/**
 * Reads the body of a request, with the same limit and refusals as the library of the Koa shell. Reading stops at the
 * first byte above the maximum; a body that this process made has none.
 */
const createReadBytes = (isOwn: boolean): ReadBytes<Request> => {
  const maxLength = isOwn ? Infinity : maxBodyBytes
  return async ({ headers, body }) => {
    if (body === null) return E.right(new Uint8Array())
    const declared = headers.get('content-length')
    if (Number(declared) > maxLength) {
      leave(body)
      return E.left('too_large')
    }
    const reader = body.getReader()
    const bytes = await readWhole(reader, maxLength)
    if (E.isLeft(bytes)) leave(reader)
    else if (declared !== null && bytes.right.length !== Number(declared)) return E.left('ended_early')
    return bytes
  }
}

/** Rejects only if a port violates its contract: every refusal and every defect is a Response. */
export type FetchHandler = (request: Request) => Promise<Response>

const receivedBy = (request: Request, { remoteAddress, requestId, trace }: ShellPorts<Request>): ReceivedRequest => {
  const { method, headers } = request
  const { pathname, search } = new URL(request.url)
  const field = (name: string): string | undefined => headers.get(name) ?? undefined
  return {
    method,
    path: pathname,
    queryString: search.slice(1),
    headers: Object.fromEntries(fieldNames.map((name) => [name, field(name)])),
    // Headers joins several values with a comma, which no token contains.
    authorization: [field('authorization') ?? []].flat(),
    remoteAddress: remoteAddress(request),
    requestId: requestId(request),
    traced: trace?.(request, method),
  }
}

/** Reads a chunk when the host pulls one; ends the source when the host cancels. */
const streamOf = (chunks: Chunks, end: () => void): ReadableStream<Uint8Array> => {
  const source = chunks[Symbol.asyncIterator]()
  const next = async (): Promise<IteratorResult<string>> => {
    try {
      return await source.next()
    } catch (error) {
      end()
      throw error
    }
  }
  return new ReadableStream(
    {
      pull: async (controller) => {
        const chunk = await next()
        if (chunk.done !== true) return controller.enqueue(utf8(chunk.value))
        controller.close()
        end()
      },
      cancel: async () => {
        try {
          end()
        } finally {
          await source.return?.()
        }
      },
    },
    { highWaterMark: 0 },
  )
}

/** A Response, and whether its content is complete. */
type Responded = { readonly response: Response; readonly isOver: boolean }

const streamed = (chunks: Chunks, end: () => void, isHead: boolean, init: ResponseInit): Responded => {
  if (!isHead) return { response: new Response(streamOf(chunks, end), init), isOver: false }
  cancel(chunks)
  return { response: new Response(null, init), isOver: true }
}

const nothing = new Uint8Array()

/** RFC 9110 §8.6: no Content-Length where there can be no content. */
const lengthOf = (status: number, octets: Uint8Array): ResponseHeaders =>
  status === 204 || status === 304 ? {} : { 'Content-Length': String(octets.length) }

const withCookies = (response: Response, setCookies: ReadonlyArray<string>): Response => {
  for (const cookie of setCookies) response.headers.append('Set-Cookie', cookie)
  return response
}

const respond = (answer: Answer, end: () => void, isHead: boolean): Responded => {
  const { status, headers, setCookies, content = '' } = answer
  if (typeof content !== 'string') return streamed(content, end, isHead, { status, headers })
  const octets = content === '' ? nothing : utf8(content)
  const init = { status, headers: Object.assign({}, headers, lengthOf(status, octets)) }
  const response = new Response(isHead || octets === nothing ? null : octets, init)
  return { response: withCookies(response, setCookies), isOver: true }
}

/**
 * The ports of a handler: `remoteAddress` receives the Request, because only the host knows the address of its sender.
 */
export type HandlerPorts = HttpPorts & ShellPorts<Request>

/** The routes as a function from a Request to its Response. */
const createHandler = (routes: ReadonlyArray<Route>, settings: ServeSettings, ports: HandlerPorts): FetchHandler => {
  const serving = createServing(routes, settings, ports, createReadBytes(settings.operatorAlone === 'command'))
  const find = createFind(routes)
  return async (request) => {
    const report = begin(receivedBy(request, ports))
    const end = ending(report, ports.log)
    const { method, path } = report.received
    const isHead = method === 'HEAD'
    const answer = await serving.serve(find(method, path), report, request)
    const respondOrDefect = (): Responded => {
      try {
        return respond(answer, end, isHead)
      } catch (detail) {
        return respond(serving.defect(report, detail), end, isHead)
      }
    }
    const { response, isOver } = respondOrDefect()
    // Outside of the try block, so that a log that throws does not count as a defect of the handler.
    if (isOver) end()
    return response
  }
}

/**
 * The routes for all clients: registration (RFC 7591, RFC 7592), the key set (RFC 7517), metadata (RFC 8414), logout
 * and sessions; and the operator's routes unless they have a handler of their own. Corresponds to
 * `createPublicListener`.
 */
export const createPublicHandler = (settings: HttpSettings, ports: HandlerPorts, served: Served): FetchHandler =>
  createHandler(publicRoutes(settings, ports, served), settings, ports)

/** The routes for probes and commands, for an address that is not public. Corresponds to `createManagementListener`. */
export const createManagementHandler = (settings: HttpSettings, ports: HandlerPorts): FetchHandler =>
  createHandler(managementRoutes(settings, ports), { ...settings, isManagement: true }, ports)
