// The service as an application of Koa: a request becomes a value, the middleware answer it one after the other, and the
// answer is sent.
import Router, { type RouterContext } from '@koa/router'
import * as E from 'fp-ts/lib/Either.js'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import {
  type ReceivedRequest,
  type RequestHeaders,
  type UnreadBody,
  declaresTooMuch,
  maxBodyBytes,
} from './http/request.js'
import { type HttpResponse, type ResponseHeaders, emptyResponse } from './http/response.js'
import type { HttpPorts, ShellPorts } from './ports.js'
import {
  type FoundRoute,
  type Route,
  createRoutesAt,
  idIn,
  isLiteral,
  literalFirst,
  methodsOf,
} from './routes/route.js'
import {
  type Answer,
  type Report,
  type ServeSettings,
  type Serving,
  begin,
  complete,
  createServing,
  ending,
  noRoute,
} from './serve.js'

/** A listener for node:http; the promise, if it returns one, settles when the request is finished. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

// Node's `headers` contains only the first of several Authorization fields.
const allOf = ({ rawHeaders }: IncomingMessage, name: string): ReadonlyArray<string> =>
  rawHeaders.filter((_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === name)

const headersOf = (request: IncomingMessage): RequestHeaders => {
  const { headers } = request
  if (headers['content-type'] === undefined) return headers
  const types = allOf(request, 'content-type')
  return types.length === 1 ? headers : { ...headers, 'content-type': types.join(', ') }
}

const none: ReadonlyArray<string> = []

const receivedBy = (
  { req: request, method, path, querystring }: Koa.Context,
  { remoteAddress, requestId, trace }: ShellPorts<IncomingMessage>,
): ReceivedRequest => ({
  method,
  path,
  queryString: querystring,
  headers: headersOf(request),
  authorization: request.headers.authorization === undefined ? none : allOf(request, 'authorization'),
  remoteAddress: remoteAddress(request),
  requestId: requestId(request),
  traced: trace?.(request, method),
})

/** RFC 9110 §8.6: no Content-Length where there can be no content; RFC 9112 §7.1: a stream is chunked. */
const framing = ({ status, content = '', leavesBody }: Answer): ResponseHeaders => {
  if (status === 204 || status === 304 || typeof content !== 'string') return {}
  const length = { 'Content-Length': String(Buffer.byteLength(content)) }
  return leavesBody ? { ...length, Connection: 'close' } : length
}

type Ends = Array<() => void>

const waiting = new WeakMap<Socket, Ends>()

// One listener for each connection: Node warns of more than ten.
const waitingOn = (socket: Socket): Ends => {
  const known = waiting.get(socket)
  if (known !== undefined) return known
  const ends: Ends = []
  waiting.set(socket, ends)
  socket.once('close', () => {
    for (const end of ends.splice(0)) end()
  })
  return ends
}

/** Calls `end` once, when the response is complete or its connection is closed, also if it waits for an earlier one (RFC 9112 §9.3.2). */
const whenOver = ({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void => {
  const waits = response.socket === null
  if (response.closed || (waits && socket.closed)) return end()
  if (!waits) return void response.once('close', end)
  // Node does not close a response that waits for an earlier one of its connection.
  const ends = waitingOn(socket)
  const over = (): void => {
    response.off('close', over)
    const place = ends.indexOf(over)
    if (place !== -1) ends.splice(place, 1)
    end()
  }
  ends.push(over)
  response.once('close', over)
}

const patience = 1_000
const maxDiscarded = 1_048_576

/**
 * Discards the rest of a body, for one second and one mebibyte at most, so that a client that is still sending receives
 * the refusal.
 */
export const discardRest = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let discarded = 0
    const timer = setTimeout(resolve, patience)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    request.on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxDiscarded) done()
    })
    request.once('end', done).once('close', done).resume()
    if (request.readableEnded || request.destroyed) done()
  })

// Reads the body as Latin-1, one character for each byte: as text, koa-bodyparser changes ill-formed UTF-8 to U+FFFD.
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: {
    text: ['application/json', 'application/merge-patch+json', 'application/jwt', 'application/x-www-form-urlencoded'],
  },
  encoding: 'binary',
  textLimit: String(maxBodyBytes),
})

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

// Undefined for a request without a body; the types of koa-bodyparser omit this.
const bytesRead = (request: { readonly rawBody?: string | undefined }): Uint8Array =>
  Buffer.from(request.rawBody ?? '', 'binary')

/** Reads the body of a request by koa-bodyparser. */
const readBytes = async (ctx: Koa.Context): Promise<E.Either<UnreadBody, Uint8Array>> => {
  if (declaresTooMuch(ctx.req)) return E.left('too_large')
  // RFC 9110 §8.4: only identity reaches this line, in any case; koa-bodyparser accepts it in lower case only.
  if (ctx.req.headers['content-encoding'] !== undefined) ctx.req.headers['content-encoding'] = 'identity'
  try {
    await readText(ctx, () => Promise.resolve())
  } catch (error) {
    const status = statusOf(error)
    if (status !== 413 && status !== 400) throw error
    return E.left(status === 413 ? 'too_large' : 'ended_early')
  }
  return E.right(bytesRead(ctx.request))
}

// Sends the answer first; then the connection stays open until a client that is still sending can read it.
async function* beforeRest(text: string, request: IncomingMessage): AsyncGenerator<string> {
  yield text
  await discardRest(request)
}

const bodyOf = ({ content, leavesBody }: Answer, request: IncomingMessage): string | Readable | undefined => {
  if (content === undefined) return undefined
  if (typeof content !== 'string') return Readable.from(content)
  return leavesBody ? Readable.from(beforeRest(content, request)) : content
}

const respond = (ctx: Koa.Context, answer: Answer): void => {
  const body = bodyOf(answer, ctx.req)
  // One call for all headers: Koa's way, field by field, takes a tenth of the time of a short answer.
  const { status, headers, setCookies } = answer
  const cookies = setCookies.length === 0 ? undefined : { 'Set-Cookie': [...setCookies] }
  ctx.res.writeHead(status, Object.assign({}, headers, cookies, framing(answer)))
  // Koa sends streams and handles their failures; it would derive the headers of a text again.
  if (body instanceof Readable) ctx.body = body
  else {
    ctx.respond = false
    ctx.res.end(body)
  }
}

/** The fields of an answer as Node takes them in one array, without X-Request-Id. */
type Prepared = { readonly status: number; readonly fields: ReadonlyArray<string>; readonly text: string | undefined }

const idField = 'X-Request-Id'

const prepare = (answer: Answer): Prepared => {
  const { status, headers, content } = answer
  const named = Object.entries({ ...headers, ...framing(answer) }).filter(([name]) => name !== idField)
  return { status, fields: named.flat(), text: typeof content === 'string' ? content : undefined }
}

const send = (response: ServerResponse, requestId: string, { status, fields, text }: Prepared): void =>
  void response.writeHead(status, [idField, requestId, ...fields]).end(text)

/** What the middleware have of a request in common. */
type State = { readonly report: Report }

/** The first middleware: every request has its report, whose end is the log entry. */
const reporting =
  (ports: ShellPorts<IncomingMessage>): Koa.Middleware<{ report?: Report }> =>
  (ctx, next) => {
    const report = begin(receivedBy(ctx, ports))
    ctx.state.report = report
    // The client may close the connection before the answer; the log entry reports both.
    const over = (): void => whenOver(ctx.req, ctx.res, ending(report, ports.log))
    return next().then(over, (detail: unknown) => {
      // Koa answers it; only the log explains why.
      report.response = { ...emptyResponse(500), detail }
      over()
      throw detail
    })
  }

/** A document as a request without a query names it; `name` is the route in the log. */
type Publication = {
  readonly name: string
  readonly route: Route
  readonly respond: (received: ReceivedRequest) => HttpResponse
}

const publicationsAmong = (
  routes: ReadonlyArray<Route>,
  { unrouted }: Pick<Serving<never>, 'unrouted'>,
): ReadonlyMap<string, Publication> => {
  const routesAt = createRoutesAt(routes)
  const found = new Map<string, Publication>()
  for (const route of routes) {
    const { path, published: respond } = route
    // Another route of the same path may answer other methods, or answer first.
    if (respond === undefined || !isLiteral(route) || routesAt(path).length > 1) continue
    for (const method of methodsOf(route)) found.set(`${method} ${path}`, { name: path, route, respond })
    let preflight: HttpResponse | undefined
    const respondOnce: Publication['respond'] = (received) => (preflight ??= unrouted(received))
    found.set(`OPTIONS ${path}`, { name: noRoute, route, respond: respondOnce })
  }
  return found
}

/**
 * The middleware of published documents (docs/decisions/speed.md): their answers depend on no credential and no body, and are
 * prepared once for each response of a handler. All other requests go on, and those that present a credential.
 */
const publishedDocuments = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  serving: Pick<Serving<never>, 'unrouted' | 'defect'>,
): Koa.Middleware<State> => {
  const publications = publicationsAmong(routes, serving)
  const prepared = new WeakMap<HttpResponse, Prepared>()
  const answerOf = (report: Report, { respond, route }: Publication): Prepared => {
    const response = respond(report.received)
    report.response = response
    const known = prepared.get(response) ?? prepare(complete(settings, report, response, route))
    prepared.set(response, known)
    return known
  }
  return (ctx, next) => {
    const isAsked = ctx.req.headers.authorization === undefined
    const publication = isAsked ? publications.get(`${ctx.method} ${ctx.url}`) : undefined
    if (publication === undefined) return next()
    const { report } = ctx.state
    const { requestId, traced } = report.received
    report.route = publication.name
    // Koa would derive the headers of a text again.
    ctx.respond = false
    const answering = (): Prepared => answerOf(report, publication)
    try {
      return send(ctx.res, requestId, traced?.run(answering) ?? answering())
    } catch (detail) {
      return send(ctx.res, requestId, prepare(serving.defect(report, detail)))
    }
  }
}

/** What the log entry of a request tells of its answer. */
type Outcome = Pick<HttpResponse, 'detail' | 'reason' | 'refusal' | 'client_id' | 'actor'>

/** An authorization server in the same application. It routes and answers by itself. */
export type MountedEngine = {
  /** The pattern of the route with this path; undefined for paths of others. */
  readonly routeOf: (path: string) => string | undefined
  readonly answer: (request: IncomingMessage, response: ServerResponse) => Promise<Outcome>
}

/** The middleware of the engine, which is an application of Koa itself, with the base URL in place of what a request says. */
const engineRoutes =
  ({ routeOf, answer }: MountedEngine): Koa.Middleware<State> =>
  async (ctx, next): Promise<void> => {
    const { req: request, res: response } = ctx
    const { report } = ctx.state
    const { path, requestId, traced } = report.received
    const route = routeOf(path)
    if (route === undefined) {
      await next()
      return
    }
    report.route = route
    ctx.respond = false
    response.setHeader(idField, requestId)
    response.setHeader('X-Content-Type-Options', 'nosniff')
    const answering = (): Promise<Outcome> => answer(request, response)
    const outcome = await (traced?.run(answering) ?? answering())
    report.response = { ...emptyResponse(response.statusCode), ...outcome }
  }

// RFC 9112 §3.2.2: the target without scheme and host. No answer depends on these, and Koa throws for a host that no URL
// has.
const originForm = (target = '/'): string => {
  if (target.startsWith('/')) return target
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** The routes as a listener for node:http: each is a route of the router, and what has none is answered behind it. */
export const createListener = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<IncomingMessage> & Pick<HttpPorts, 'service'>,
  engine?: MountedEngine,
): Listener => {
  const serving = createServing(routes, settings, ports, readBytes)
  const answering =
    (found: (ctx: RouterContext<State>) => FoundRoute | undefined) =>
    async (ctx: RouterContext<State>): Promise<void> => {
      const { report } = ctx.state
      const answer = await serving.serve(found(ctx), report, ctx)
      try {
        respond(ctx, answer)
      } catch (detail) {
        respond(ctx, serving.defect(report, detail))
      }
    }
  const router = new Router<State>({ sensitive: true, strict: true })
  for (const route of literalFirst(routes))
    router.register(
      route.path,
      [route.method],
      answering(({ captures: [id] = [] }) => ({ route, id: idIn(id) })),
    )
  const app = new Koa()
  // The log reports defects with their request, so that Koa does not print them.
  app.silent = true
  app.use(reporting(ports))
  app.use(publishedDocuments(routes, settings, serving))
  if (engine !== undefined) app.use(engineRoutes(engine))
  app.use(router.routes())
  app.use(answering(() => undefined))
  const callback = app.callback()
  return (request, response) => {
    request.url = originForm(request.url)
    return callback(request, response)
  }
}
