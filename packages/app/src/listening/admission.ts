// Admits or refuses a connection or a request before any work is done for it.
import type { Listener } from '@clientele/adapters-http'
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import type { Source } from '@clientele/domain/kernel'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Sources, createPlaces } from './sources.js'
import type { Refused } from '../observing/refusals.js'

export type AdmissionOptions = {
  readonly maxConnections: number
  readonly maxRequests: number
  readonly sources: Sources
  readonly onRefused: (what: Refused) => void
}

export type Admission = {
  readonly admitConnection: (socket: Socket) => void
  /** The same listener, called for admitted requests only. */
  readonly admitRequests: (listener: Listener) => RequestListener
}

// No client waits for that many responses on one connection; browsers and fetch do not pipeline.
const maxPerConnection = 16

// RFC 9110 §15.6.4
const refuse = (response: ServerResponse): void =>
  void response
    .writeHead(refusalStatuses.unavailable, {
      'Retry-After': '1',
      Connection: 'close',
      'Cache-Control': 'no-store',
      Pragma: 'no-cache',
      'Content-Length': 0,
    })
    .end()

// Node emits all requests of a chunk one after another. The first begins only when all are counted, and none begins on
// a connection that was destroyed for their number.
const begin = async (
  listener: Listener,
  request: IncomingMessage,
  response: ServerResponse,
  decided: () => void,
): Promise<void> => {
  await Promise.resolve()
  try {
    if (!request.socket.destroyed) await listener(request, response)
  } finally {
    decided()
  }
}

type Parsed = { readonly parser?: { onIncoming?: unknown } | null }

// Node continues to parse the chunk of a destroyed connection, and holds its requests for one turn of the event loop: 5
// MB for each connection. There is no public API to stop it; where Node has other internal names, this has no effect.
const end = (socket: Socket & Parsed): void => {
  if (socket.parser) socket.parser.onIncoming = () => 0
  socket.destroy()
}

/** The place of one request: released when the request is decided and its response has ended. */
type Reserved = { readonly source: Source | undefined; awaited: number }

type Connection = {
  // Not a Set, for the reason in sources.ts.
  readonly underWay: Array<Reserved>
  /** Whether a request of the connection was refused, so that no further one is admitted. */
  isRefused: boolean
}

const createConnections = (awaitNoMore: (reserved: Reserved) => void): ((socket: Socket) => Connection) => {
  const connections = new WeakMap<Socket, Connection>()
  const track = (socket: Socket): Connection => {
    const connection: Connection = { underWay: [], isRefused: false }
    connections.set(socket, connection)
    // Node does not close a response that waits for an earlier one.
    socket.once('close', () => {
      for (const reserved of connection.underWay.splice(0)) awaitNoMore(reserved)
    })
    return connection
  }
  return (socket) => connections.get(socket) ?? track(socket)
}

const hold = (
  { underWay }: Connection,
  response: ServerResponse,
  source: Reserved['source'],
  awaitOneLess: (reserved: Reserved) => void,
): Reserved => {
  const reserved = { source, awaited: 2 }
  underWay.push(reserved)
  response.on('close', () => {
    const place = underWay.indexOf(reserved)
    if (place === -1) return
    underWay.splice(place, 1)
    awaitOneLess(reserved)
  })
  return reserved
}

/** A request has its place until it is decided and its response is received or its connection is closed. */
export const createAdmission = (options: AdmissionOptions): Admission => {
  const { maxConnections, maxRequests, sources, onRefused } = options
  const connections = createPlaces(maxConnections)
  const requests = createPlaces(maxRequests)
  const awaitOneLess = (reserved: Reserved): void => {
    reserved.awaited -= 1
    if (reserved.awaited === 0) requests.leave(reserved.source)
  }
  const connectionOf = createConnections(awaitOneLess)

  const admitConnection = (socket: Socket): void => {
    const source = sources.ofConnection(socket)
    if (connections.take(source)) return void socket.once('close', () => connections.leave(source))
    onRefused('connection')
    socket.destroy()
  }

  const admitRequests =
    (listener: Listener): RequestListener =>
    (request, response) => {
      const { socket } = request
      const connection = connectionOf(socket)
      if (socket.destroyed || connection.isRefused) return end(socket)
      if (connection.underWay.length >= maxPerConnection) {
        onRefused('pipelining')
        return end(socket)
      }
      const source = sources.ofRequest(request)
      if (!requests.take(source)) {
        connection.isRefused = true
        onRefused('request')
        return refuse(response)
      }
      const reserved = hold(connection, response, source, awaitOneLess)
      void begin(listener, request, response, () => awaitOneLess(reserved))
    }

  return { admitConnection, admitRequests }
}
