// The only file that knows Koa: a request becomes a value, a handler answers with a value, and the value is sent.
import { invalidRequest } from '@clientele/domain'
import Router from '@koa/router'
import * as E from 'fp-ts/lib/Either.js'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import type { RequestListener } from 'node:http'
import { Readable } from 'node:stream'
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js'
import { discardRest, isPlainEncoding } from './http/body-bytes.js'
import type { TransportRefusal } from './http/error-response.js'
import { transportResponse } from './http/error-response.js'
import { contentTypeOf, fieldsOf } from './http/header-fields.js'
import { readFormBody, readJsonBody } from './http/request-body.js'
import { valuesOf } from './http/url-encoded.js'
import type { HttpRequest } from './http/request.js'
import type { HttpResponse } from './http/response.js'
import { emptyResponse, notStored } from './http/response.js'
import type { Route } from './routes.js'
import type { HttpLogEntry, HttpPorts, HttpSettings } from './settings.js'

type State = { route?: string; detail?: unknown; reason?: string | undefined }
type Context = Koa.ParameterizedContext<State>

// Because koa-bodyparser alone makes {} of an empty body and U+FFFD of ill-formed UTF-8, it reads bytes, one a character.
const readBytes = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json', 'application/x-www-form-urlencoded'] },
  encoding: 'binary',
  textLimit: '64kb',
})

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

// Because nothing was read where there is no body or its type is another one, and the types do not say so.
const bytesRead = (request: { readonly rawBody?: string | undefined }): Buffer =>
  Buffer.from(request.rawBody ?? '', 'binary')

const refusalOfBody = (status: unknown): E.Either<TransportRefusal, HttpRequest['body']> =>
  status === 413 ? E.left({ error: 'too_large' }) : E.right(E.left(invalidRequest('The body ended early')))

const readBody = async (ctx: Context, { takes }: Route): Promise<E.Either<TransportRefusal, HttpRequest['body']>> => {
  if (!isPlainEncoding(ctx.get('content-encoding'))) return E.left({ error: 'unsupported_encoding' })
  // Because the reader knows identity in lower case only.
  delete ctx.req.headers['content-encoding']
  try {
    await readBytes(ctx, () => Promise.resolve())
  } catch (error) {
    const status = statusOf(error)
    if (status !== 413 && status !== 400) throw error
    await discardRest(ctx.req)
    return refusalOfBody(status)
  }
  const read = takes === 'form' ? readFormBody : readJsonBody
  return E.right(read(contentTypeOf(ctx.req), bytesRead(ctx.request)))
}

const noBody: E.Either<never, HttpRequest['body']> = E.right(E.right(undefined))

const toHttpRequest = (ctx: Context, params: HttpRequest['params'], body: HttpRequest['body']): HttpRequest => ({
  method: ctx.method,
  params,
  query: valuesOf(ctx.querystring),
  ...fieldsOf(ctx.req),
  body,
})

// Because Koa only cuts the connection when a stream breaks: why goes to the log.
async function* tellingDefects(chunks: AsyncIterable<string>, state: State): AsyncGenerator<string> {
  try {
    yield* chunks
  } catch (detail) {
    state.detail = detail
    throw detail
  }
}

const toKoaBody = (body: HttpResponse['body'], state: State): string | Buffer | Readable | null => {
  switch (body.kind) {
    case 'empty':
      return null
    case 'json':
      return JSON.stringify(body.value)
    case 'bytes':
      return body.bytes
    case 'stream':
      return Readable.from(tellingDefects(body.chunks, state))
  }
}

const send = (ctx: Context, { status, headers, body, detail, reason }: HttpResponse): void => {
  Object.assign(ctx.state, { detail, reason })
  ctx.body = toKoaBody(body, ctx.state)
  ctx.status = status
  ctx.set(headers)
}

const takesBody = ({ method }: Route): boolean => method === 'POST' || method === 'PUT'

const handle = async (route: Route, ctx: Context, params: HttpRequest['params']): Promise<HttpResponse> => {
  const body = takesBody(route) ? await readBody(ctx, route) : noBody
  if (E.isRight(body)) return route.handler(toHttpRequest(ctx, params, body.right))()
  // RFC 9112 §9.6: the rest of a body that was not read cannot be told from the next request
  if (body.left.error === 'too_large') ctx.set('Connection', 'close')
  return route.takes === 'json'
    ? transportResponse(body.left)
    : route.handler(toHttpRequest(ctx, params, E.left(invalidRequest('The form is too large, or encoded'))))()
}

const sendFrom = (route: Route, settings: ShellSettings, ctx: Context, response: HttpResponse): void => {
  send(ctx, route.stored ? response : notStored(response))
  ctx.set(crossOriginHeaders(route.origins, settings.corsOrigins, ctx.get('origin')))
}

const allowOf = (routes: ReadonlyArray<Route>): ReadonlyArray<string> =>
  routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))

// RFC 9110 §15.5.6: Allow tells the methods of the path; without any the path is unknown
const answerOtherMethod = (routes: ReadonlyArray<Route>, isPreflight: boolean): HttpResponse =>
  isPreflight
    ? emptyResponse(204, preflightHeaders(allowOf(routes)))
    : transportResponse({ error: 'method_not_allowed', allow: allowOf(routes) })

const sendUnrouted = (routes: ReadonlyArray<Route>, settings: ShellSettings, ctx: Context): void => {
  const [first] = routes
  if (first === undefined) return send(ctx, notStored(transportResponse({ error: 'not_found' })))
  const allowed = crossOriginHeaders(first.origins, settings.corsOrigins, ctx.get('origin'))
  const isPreflight = ctx.method === 'OPTIONS' && 'Access-Control-Allow-Origin' in allowed
  sendFrom(first, settings, ctx, answerOtherMethod(routes, isPreflight))
}

type Begun = Pick<HttpLogEntry, 'request_id' | 'remote_address'> & { readonly at: number }

// Because the address of a peer that has gone is not known any more, it is asked at once.
const begin = (ctx: Context, ports: HttpPorts): Begun => ({
  request_id: ports.requestId(),
  remote_address: ports.remoteAddress(ctx.req),
  at: performance.now(),
})

const entryOf = (ctx: Context, { at, ...begun }: Begun): HttpLogEntry => ({
  ...begun,
  method: ctx.method,
  route: ctx.state.route ?? '(none)',
  status: ctx.status,
  duration_ms: Math.round((performance.now() - at) * 10) / 10,
  ...(ctx.state.detail === undefined ? {} : { detail: ctx.state.detail }),
  ...(ctx.state.reason === undefined ? {} : { reason: ctx.state.reason }),
})

const observe =
  (ports: HttpPorts): Koa.Middleware<State> =>
  async (ctx, next) => {
    const begun = begin(ctx, ports)
    const closed = new Promise<void>((resolve) => void ctx.res.once('close', resolve))
    ctx.set({ 'X-Request-Id': begun.request_id, 'X-Content-Type-Options': 'nosniff' })
    try {
      await next()
    } catch (detail) {
      send(ctx, notStored(transportResponse({ error: 'defect', detail })))
    }
    // Because a client may go before its request is decided: the entry tells both.
    void closed.then(() => ports.log(entryOf(ctx, begun)))
  }

type ShellSettings = Pick<HttpSettings, 'corsOrigins'>

/** The routes as a listener for node:http. */
export const createListener = (
  routes: ReadonlyArray<Route>,
  settings: ShellSettings,
  ports: HttpPorts,
): RequestListener => {
  const app = new Koa<State>()
  const router = new Router<State>({ strict: true, sensitive: true })
  for (const route of routes)
    router.register(route.path, [route.method], async (ctx) => {
      ctx.state.route = route.path
      sendFrom(route, settings, ctx, await handle(route, ctx, ctx.params))
    })
  // Because a defect goes to the log with its request, Koa itself stays silent.
  app.silent = true
  app.use(observe(ports)).use(router.routes())
  app.use((ctx) => {
    const matched = router.match(ctx.path, ctx.method).path.map(({ path }) => path)
    sendUnrouted(
      routes.filter(({ path }) => matched.includes(path)),
      settings,
      ctx,
    )
  })
  const callback = app.callback()
  return (request, response) => void callback(request, response)
}
