// Converts a request of Koa to a value, and sends the answer through Koa.
import Router from '@koa/router'
import Koa from 'koa'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { discardRest } from './discard-rest.js'
import { framing, receivedBy, whenOver } from './node-http.js'
import { readBytes } from './koa-body.js'
import type { Listener } from './listener.js'
import type { ShellPorts } from './ports.js'
import { createPublishedShell } from './published-shell.js'
import { type Answer, type ServePorts, type ServeSettings, createServe } from './serve/exchange.js'
import type { Route } from './serve/routing.js'

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

/** The routes as a listener for node:http: Koa takes what is not answered before it. */
export const createListener = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<IncomingMessage> & ServePorts,
): Listener => {
  const serve = createServe(routes, settings, ports, readBytes)
  // All paths: the core finds the route, in both shells alike.
  const router = new Router().all(/^/, async (ctx: Koa.Context) => {
    const { answer, defect, end } = await serve(receivedBy(ctx.req, ctx, ports), ctx)
    try {
      respond(ctx, answer)
    } catch (detail) {
      respond(ctx, defect(detail))
    }
    // The client may close the connection before the answer; the log entry reports both.
    whenOver(ctx.req, ctx.res, end)
  })
  const app = new Koa()
  // The log reports defects with their request, so that Koa does not print them.
  app.silent = true
  app.use(router.routes())
  return createPublishedShell(routes, settings, ports, app.callback())
}
