// Converts a request of Koa to a value, and sends the answer through Koa.
import Router from '@koa/router'
import Koa from 'koa'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { discardRest } from './discard-rest.js'
import type { ReceivedRequest, RequestHeaders } from './http/request.js'
import type { ResponseHeaders } from './http/response.js'
import { readBytes } from './koa-body.js'
import type { ShellPorts } from './ports.js'
import { type Answer, type ServePorts, type ServeSettings, createServe } from './serve/exchange.js'
import type { Route } from './serve/routing.js'

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
  ctx: Koa.Context,
  { remoteAddress, requestId, trace }: ShellPorts<IncomingMessage>,
): ReceivedRequest => ({
  method: ctx.method,
  path: ctx.path,
  queryString: ctx.querystring,
  headers: headersOf(ctx.req),
  authorization: ctx.req.headers.authorization === undefined ? none : allOf(ctx.req, 'authorization'),
  remoteAddress: remoteAddress(ctx.req),
  requestId: requestId(ctx.req),
  traced: trace?.(ctx.req, ctx.method),
})

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

/** RFC 9110 §8.6: no Content-Length where there can be no content; RFC 9112 §7.1: a stream is chunked. */
const framing = ({ status, content = '', leavesBody }: Answer): ResponseHeaders => {
  if (status === 204 || status === 304 || typeof content !== 'string') return {}
  const length = { 'Content-Length': String(Buffer.byteLength(content)) }
  return leavesBody ? { ...length, Connection: 'close' } : length
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

/** The routes as a listener for node:http. */
export const createListener = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<IncomingMessage> & ServePorts,
): Listener => {
  const serve = createServe(routes, settings, ports, readBytes)
  // All paths: the core finds the route, in both shells alike.
  const router = new Router().all(/^/, async (ctx: Koa.Context) => {
    const { answer, defect, end } = await serve(receivedBy(ctx, ports), ctx)
    try {
      respond(ctx, answer)
    } catch (detail) {
      respond(ctx, defect(detail))
    }
    // The client may close the connection before the answer; the log entry reports both.
    if (ctx.res.closed) end()
    else ctx.res.once('close', end)
  })
  const app = new Koa()
  // The log reports defects with their request, so that Koa does not print them.
  app.silent = true
  app.use(router.routes())
  return app.callback()
}
