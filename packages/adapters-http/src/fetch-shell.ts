// Web standards alone: what a Request has is handed over, and the answer becomes a Response.
import { readBytes } from './fetch-body.js'
import { utf8 } from './http/bytes.js'
import type { Route } from './routes.js'
import type { Answer, ServeSettings } from './serve/answer.js'
import type { Chunks } from './serve/content.js'
import { leave, lengthOf, textOf } from './serve/content.js'
import type { Exchange, ServePorts } from './serve/exchange.js'
import { createExchanges } from './serve/exchange.js'
import type { Incoming } from './serve/incoming.js'
import type { ShellPorts } from './settings.js'

/** Never rejects while the ports keep their word: every refusal and every defect is a Response. */
export type FetchHandler = (request: Request) => Promise<Response>

const incomingOf = (request: Request, query: string, remoteAddress: string | undefined): Incoming => {
  const field = (name: string): string | undefined => request.headers.get(name) ?? undefined
  return {
    remoteAddress,
    method: request.method,
    query,
    field,
    // Several are one list here, and a comma stands in no token.
    authorization: [field('authorization') ?? []].flat(),
    readBytes: () => readBytes(request),
  }
}

/** Reads on only when the host does; ends its source when the host leaves it. */
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

/** A Response, and whether nothing of it is still to come. */
type Made = { readonly response: Response; readonly isOver: boolean }

const streamed = (chunks: Chunks, end: () => void, isHead: boolean, init: ResponseInit): Made => {
  if (!isHead) return { response: new Response(streamOf(chunks, end), init), isOver: false }
  leave(chunks)
  return { response: new Response(null, init), isOver: true }
}

const made = ({ end }: Exchange, isHead: boolean, { status, headers, body }: Answer): Made => {
  if (body.kind === 'stream') return streamed(body.chunks, end, isHead, { status, headers })
  const text = textOf(body)
  const whole = text === undefined ? undefined : utf8(text)
  const init = { status, headers: Object.assign({}, headers, lengthOf(status, whole?.length ?? 0)) }
  return { response: new Response(isHead ? null : whole, init), isOver: true }
}

/** The routes as a function from a Request to its Response. */
export const createHandler = (
  routes: ReadonlyArray<Route>,
  settings: ServeSettings,
  ports: ShellPorts<Request> & ServePorts,
): FetchHandler => {
  const { begin, find } = createExchanges(routes, settings, ports)
  const answering = async (request: Request, exchange: Exchange, pathname: string): Promise<Made> => {
    const isHead = request.method === 'HEAD'
    try {
      const found = find(request.method, pathname)
      const answer =
        found === undefined ? exchange.answerUnrouted(pathname) : await exchange.answerRouted(found.route, found.params)
      return made(exchange, isHead, answer)
    } catch (detail) {
      return made(exchange, isHead, exchange.answerDefect(detail))
    }
  }
  return async (request) => {
    const { pathname, search } = new URL(request.url)
    const exchange = begin(incomingOf(request, search.slice(1), ports.remoteAddress(request)))
    const { response, isOver } = await answering(request, exchange, pathname)
    // Because a log that throws would otherwise pass for a defect of what was done.
    if (isOver) exchange.end()
    return response
  }
}
