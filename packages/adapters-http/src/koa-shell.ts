// Converts a request of Koa to a value, and sends the answer through Koa.
import Router, { type RouterContext } from '@koa/router'
import Koa from 'koa'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { type HttpResponse, emptyResponse } from './http/response.js'
import { discardRest, framing, receivedBy, whenOver } from './node-http.js'
import { readBytes } from './koa-body.js'
import type { Listener } from './listener.js'
import type { ShellPorts } from './ports.js'
import { createFindPublished } from './serve/published.js'
import { type Answer, type ServePorts, type ServeSettings, createServe } from './serve/exchange.js'
import { type Report, begin, ending } from './serve/report.js'
import { type FoundRoute, type Route, decoded, isLiteral } from './serve/routing.js'

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
  const cookies = setCookies === undefined ? undefined : { 'Set-Cookie': [...setCookies] }
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
    const report = begin(receivedBy(ctx.req, ctx, ports))
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

/** The middleware of published documents (docs/decisions/0147). All other requests go on, and those that present a credential. */
const publishedDocuments = (routes: ReadonlyArray<Route>, settings: ServeSettings): Koa.Middleware<State> => {
  const find = createFindPublished(routes, settings, prepare)
  return (ctx, next) => {
    const { req: request, res: response, method } = ctx
    const { report } = ctx.state
    const exchangeFor = request.headers.authorization === undefined ? find(method, ctx.url) : undefined
    if (exchangeFor === undefined) return next()
    const { answer, defect } = exchangeFor(report)
    // Koa would derive the headers of a text again.
    ctx.respond = false
    try {
      return send(response, report.received.requestId, answer())
    } catch (detail) {
      return send(response, report.received.requestId, prepare(defect(detail)))
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
  ports: ShellPorts<IncomingMessage> & ServePorts,
  engine?: MountedEngine,
): Listener => {
  const serve = createServe(routes, settings, ports, readBytes)
  const answering =
    (found: (ctx: RouterContext<State>) => FoundRoute | undefined) =>
    async (ctx: RouterContext<State>): Promise<void> => {
      const { answer, defect } = await serve(found(ctx), ctx.state.report, ctx)
      try {
        respond(ctx, answer)
      } catch (detail) {
        respond(ctx, defect(detail))
      }
    }
  const router = new Router<State>({ sensitive: true, strict: true })
  // The router takes the first route of a path: one without a parameter comes before those whose pattern has it as well.
  for (const route of [...routes].sort((one, other) => Number(isLiteral(other)) - Number(isLiteral(one))))
    router.register(
      route.path,
      [route.method],
      answering(({ captures: [value] = [] }) => ({ route, id: value === undefined ? '' : decoded(value) })),
    )
  const app = new Koa()
  // The log reports defects with their request, so that Koa does not print them.
  app.silent = true
  app.use(reporting(ports))
  app.use(publishedDocuments(routes, settings))
  if (engine !== undefined) app.use(engineRoutes(engine))
  app.use(router.routes())
  app.use(answering(() => undefined))
  const callback = app.callback()
  return (request, response) => {
    request.url = originForm(request.url)
    return callback(request, response)
  }
}
