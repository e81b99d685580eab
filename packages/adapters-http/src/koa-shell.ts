// The only file that knows Koa: what it has of a request is handed over, and the answer is sent.
import Router from '@koa/router'
import * as E from 'fp-ts/lib/Either.js'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, pipeline } from 'node:stream'
import { discardRest } from './discard-rest.js'
import type { Route } from './routes.js'
import { literally } from './routes.js'
import type { Answer, ServeSettings } from './serve/answer.js'
import type { Chunks } from './serve/content.js'
import { leave, lengthOf, textOf } from './serve/content.js'
import type { Exchange, Exchanges, ServePorts } from './serve/exchange.js'
import { createExchanges } from './serve/exchange.js'
import type { Incoming, UnreadBody } from './serve/incoming.js'
import { mostBodyBytes } from './serve/incoming.js'
import { methodsOf } from './serve/routing.js'
import type { ShellPorts } from './settings.js'

/** A listener for node:http; the promise that it returns, where it does, settles when all is done for the request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => unknown

type State = { exchange: Exchange }
type Context = Koa.ParameterizedContext<State>

// Because koa-bodyparser alone makes {} of an empty body and U+FFFD of ill-formed UTF-8, it reads bytes, one a character.
const readText = bodyParser({
  enableTypes: ['text'],
  extendTypes: { text: ['application/json', 'application/x-www-form-urlencoded'] },
  encoding: 'binary',
  textLimit: String(mostBodyBytes),
})

const statusOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined

// Because nothing was read where there is no body, and the types do not say so.
const bytesRead = (request: { readonly rawBody?: string | undefined }): Buffer =>
  Buffer.from(request.rawBody ?? '', 'binary')

/** RFC 9110 §8.6: whether a request tells that its body is larger than any that is read. */
export const declaresTooMuch = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length']) > mostBodyBytes

const readBytes = async (ctx: Context): Promise<E.Either<UnreadBody, Uint8Array>> => {
  if (declaresTooMuch(ctx.req)) return E.left('too_large')
  // Because the reader knows identity in lower case only.
  delete ctx.req.headers['content-encoding']
  try {
    await readText(ctx, () => Promise.resolve())
  } catch (error) {
    const status = statusOf(error)
    if (status !== 413 && status !== 400) throw error
    return E.left(status === 413 ? 'too_large' : 'ended_early')
  }
  return E.right(bytesRead(ctx.request))
}

// Because Node keeps the first of several in its headers.
const allOf = ({ rawHeaders }: IncomingMessage, name: string): ReadonlyArray<string> =>
  rawHeaders.filter((_, place) => place % 2 === 1 && rawHeaders[place - 1]?.toLowerCase() === name)

const fieldOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  if (value !== undefined && name === 'content-type') return allOf(request, name).join(', ')
  return typeof value === 'object' ? value.join(', ') : value
}

const nothing: ReadonlyArray<string> = []

const incomingOf = (ctx: Context, remoteAddress: string | undefined): Incoming => ({
  remoteAddress,
  method: ctx.method,
  query: ctx.querystring,
  field: (name) => fieldOf(ctx.req, name),
  authorization: ctx.req.headers.authorization === undefined ? nothing : allOf(ctx.req, 'authorization'),
  readBytes: () => readBytes(ctx),
})

const sendStream = ({ req, res }: Context, { status, headers }: Answer, chunks: Chunks): void => {
  res.writeHead(status, headers)
  if (req.method !== 'HEAD') return void pipeline(Readable.from(chunks), res, () => undefined)
  leave(chunks)
  res.end()
}

// The answer goes out at once, and the connection ends when a client that is still sending has had time to read it.
const endAfterBody = ({ req, res }: Context, text: string | undefined): void => {
  if (text !== undefined) res.write(text)
  void discardRest(req).then(() => res.end())
}

// The answer is complete: Koa, which would add to it by rules of its own, leaves it alone.
const send = (ctx: Context, answer: Answer): void => {
  const { status, headers, body, leavesBody } = answer
  ctx.respond = false
  // Because the client may have gone meanwhile.
  if (!ctx.writable) return body.kind === 'stream' ? leave(body.chunks) : undefined
  if (body.kind === 'stream') return sendStream(ctx, answer, body.chunks)
  const text = textOf(body)
  const length = lengthOf(status, text === undefined ? 0 : Buffer.byteLength(text))
  const closing = leavesBody === true ? { Connection: 'close' } : {}
  ctx.res.writeHead(status, Object.assign({}, headers, length, closing))
  if (leavesBody === true) return endAfterBody(ctx, text)
  ctx.res.end(text)
}

const exchange =
  ({ begin }: Exchanges, ports: ShellPorts<IncomingMessage>): Koa.Middleware<State> =>
  async (ctx, next) => {
    const begun = begin(incomingOf(ctx, ports.remoteAddress(ctx.req)))
    ctx.state.exchange = begun
    try {
      await next()
    } catch (detail) {
      send(ctx, begun.answerDefect(detail))
    }
    // Because a client may go before its request is decided: the entry tells both.
    if (ctx.res.closed) begun.end()
    else ctx.res.once('close', begun.end)
  }

type Routed = ReturnType<Router<State>['routes']>

const isLiteral = (path: string): boolean => literally(path) === path

const others = '*'
const keyOf = (method: string, path: string): string => `${method} ${path}`

// A router tries all its routes for each request: so each literal path has a router of its own, and the others of a method.
const routed = (routes: ReadonlyArray<Route>): ((...[ctx, next]: Parameters<Routed>) => Promise<unknown>) => {
  const routers = new Map<string, Router<State>>()
  for (const route of routes)
    for (const method of methodsOf(route)) {
      const key = keyOf(method, isLiteral(route.path) ? route.path : others)
      const router = routers.get(key) ?? new Router<State>({ strict: true, sensitive: true })
      routers.set(key, router)
      router.register(route.path, [method], async (ctx) =>
        send(ctx, await ctx.state.exchange.answerRouted(route, ctx.params)),
      )
    }
  const found = new Map([...routers].map(([key, router]): [string, Routed] => [key, router.routes()]))
  return (ctx, next) => {
    const router = found.get(keyOf(ctx.method, ctx.path)) ?? found.get(keyOf(ctx.method, others))
    return router === undefined ? next() : (router(ctx, next) as Promise<unknown>)
  }
}

/** The routes as a listener for node:http. */
export const createListener = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<IncomingMessage> & ServePorts,
): Listener => {
  const app = new Koa<State>()
  // Because a defect goes to the log with its request, Koa itself stays silent.
  app.silent = true
  app.use(exchange(createExchanges(routes, settings, ports), ports)).use(routed(routes))
  app.use((ctx) => send(ctx, ctx.state.exchange.answerUnrouted(ctx.path)))
  return app.callback()
}
