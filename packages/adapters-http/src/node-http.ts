// Converts a request of Node to a value, gives an answer the headers that its connection needs, and reports its end.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ReceivedRequest, RequestHeaders } from './http/request.js'
import type { ResponseHeaders } from './http/response.js'
import type { ShellPorts } from './ports.js'
import type { Answer } from './serve/exchange.js'

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

/** What the target of a request names. */
type Target = { readonly method: string; readonly path: string; readonly querystring: string }

export const receivedBy = (
  request: IncomingMessage,
  { method, path, querystring }: Target,
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
export const framing = ({ status, content = '', leavesBody }: Answer): ResponseHeaders => {
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
export const whenOver = ({ socket }: IncomingMessage, response: ServerResponse, end: () => void): void => {
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
