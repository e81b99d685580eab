// Admits or refuses a connection or a request before any work is done for it.
import type { Listener } from '@clientele/adapters-http'
import { refusalStatuses } from '@clientele/adapters-http/statuses'
import { type Source, sourcesOfNetwork } from '@clientele/domain/kernel'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Refused } from '../observing/metrics.js'
import type { Sources } from './peers.js'

/** A limited number of places that sources share. */
export type Places = {
  /** Whether the source gets a place; a source without a name is limited by the total only. */
  readonly take: (source: Source | undefined) => boolean
  readonly leave: (source: Source | undefined) => void
}

/**
 * A source gets a place while it has fewer than are free, and its network fewer than four times as many: one source alone
 * takes half of them at most, two a third each; one network takes four fifths, so that others find a place.
 */
export const createPlaces = (most: number): Places => {
  const taken = { all: 0, by: new Map<string, number>() }
  const takenBy = (name: string): number => taken.by.get(name) ?? 0
  const forgetIdle = (): void => {
    for (const [name, own] of taken.by) if (own === 0) taken.by.delete(name)
  }
  // Sources without places are removed only when there are many: V8 makes a new table for a Map when its last entry is
  // removed, which would happen with nearly each request, and an old table retains all later ones in the heap.
  const count = (name: string, more: number): void => {
    if (taken.by.size >= 4 * most && !taken.by.has(name)) forgetIdle()
    taken.by.set(name, takenBy(name) + more)
  }
  const countBoth = (source: Source | undefined, more: number): void => {
    taken.all += more
    if (source === undefined) return
    count(source.name, more)
    count(source.network, more)
  }
  return {
    take: (source) => {
      const free = most - taken.all
      if (free <= 0) return false
      if (source !== undefined && (takenBy(source.name) >= free || takenBy(source.network) >= sourcesOfNetwork * free))
        return false
      countBoth(source, 1)
      return true
    },
    leave: (source) => countBoth(source, -1),
  }
}

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
// MB for each connection. Nothing documented stops it. This was tried on Node 20.20; where Node has other internal names,
// it has no effect, and crowds.test.ts fails.
const end = (socket: Socket & Parsed): void => {
  if (socket.parser) socket.parser.onIncoming = () => 0
  socket.destroy()
}

/** The place of one request: released when the request is decided and its response has ended. */
type Reserved = { readonly source: Source | undefined; awaited: number }

type Connection = {
  // Not a Set, for the reason in createPlaces.
  readonly underWay: Array<Reserved>
  /** Whether a request of the connection was refused, so that no further one is admitted. */
  isRefused: boolean
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
  const underWayOn = new WeakMap<Socket, Connection>()
  const connectionOf = (socket: Socket): Connection => {
    const known = underWayOn.get(socket)
    if (known !== undefined) return known
    const connection: Connection = { underWay: [], isRefused: false }
    underWayOn.set(socket, connection)
    // Node does not close a response that waits for an earlier one.
    socket.once('close', () => {
      for (const reserved of connection.underWay.splice(0)) awaitOneLess(reserved)
    })
    return connection
  }

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
      const reserved: Reserved = { source, awaited: 2 }
      connection.underWay.push(reserved)
      response.on('close', () => {
        const place = connection.underWay.indexOf(reserved)
        if (place === -1) return
        connection.underWay.splice(place, 1)
        awaitOneLess(reserved)
      })
      void begin(listener, request, response, () => awaitOneLess(reserved))
    }

  return { admitConnection, admitRequests }
}

type Entrance = {
  readonly listener: Listener
  /** Answers by this listener from now on, in place of the one before. */
  readonly serve: (listener: Listener) => void
}

/** Requests wait until there is a listener that answers them; it answers none whose client has gone. */
export const createEntrance = (): Entrance => {
  let serving: Listener | undefined
  let give: (listener: Listener) => void = () => undefined
  const given = new Promise<Listener>((resolve) => (give = resolve))
  const answerLater: Listener = async (request, response) => {
    const listener = await given
    if (!request.socket.destroyed) await listener(request, response)
  }
  return {
    listener: (request, response) => (serving ?? answerLater)(request, response),
    serve: (listener) => {
      serving = listener
      give(listener)
    },
  }
}
