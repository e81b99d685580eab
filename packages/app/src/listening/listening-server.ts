import { declaresTooMuch, type Listener } from '@clientele/adapters-http'
import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Admission } from './admission.js'
import { guardSocket, makeSocketDirectory } from '../data/data-directory.js'
import { errorCode, errorReason } from '../config/values/read-file.js'

export type ListeningServer = {
  readonly port: number
  /** Answers requests by the listener from now on. Those that came before wait for it. */
  readonly serve: (listener: Listener) => void
  /** Accepts no more connections, waits for running requests up to the drain limit, then ends them. */
  readonly close: () => Promise<void>
}

/** A port, or the path of a Unix domain socket. */
export type Place = { readonly host: string; readonly port: number } | { readonly path: string }

export type ListenOptions = Place & {
  readonly admission: Admission
  /** Milliseconds for running requests when the server closes. */
  readonly drainLimit: number
  /** Called when a connection cannot be accepted, for example without file descriptors; the server continues. */
  readonly onError: (error: unknown) => void
}

const idleLimit = 30_000

// By default, Node checks these limits every 30 s, so that a limit of 10 s would take effect after 40.
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}

// RFC 9110 §10.1.1: an expectation that cannot be met. Node's own response is cacheable and has no length.
const refuseExpectation: Listener = (_, response) =>
  response.writeHead(417, { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Content-Length': 0 }).end()

// RFC 9110 §10.1.1: the listener sends a final status in place of 100 when the declared length is too large.
const continuing =
  (listener: Listener): Listener =>
  (request, response) => {
    if (!declaresTooMuch(request)) response.writeContinue()
    return listener(request, response)
  }

// The connections of a proxy move to a new instance beside this one after some time.
const maxRequestsPerConnection = 10_000

const createLimitedServer = ({ admitConnection, admitRequests }: Admission): Server => {
  const server = createServer(limits)
    .on('connection', admitConnection)
    .on('checkExpectation', admitRequests(refuseExpectation))
  server.maxRequestsPerSocket = maxRequestsPerConnection
  // Ends an idle connection, for example of a client that does not read its response.
  server.timeout = idleLimit
  return server
}

const closeServer = (server: Server, drainLimit: number) => (): Promise<void> =>
  new Promise((closed) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    // A busy connection is never idle: it closes after its next response.
    server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'))
    const limit = setTimeout(() => server.closeAllConnections(), drainLimit)
    server.close(() => {
      clearInterval(idle)
      clearTimeout(limit)
      closed()
    })
    server.closeIdleConnections()
  })

const portOf = (address: AddressInfo | string | null): number =>
  address === null || typeof address === 'string' ? 0 : address.port

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'stop what uses the port, or set another',
  EACCES: 'set a port from 1024 on, or allow this user to use those below',
}

const refusal = (place: Place, error: unknown): string => {
  const code = errorCode(error)
  if ('path' in place)
    return `cannot listen on ${place.path} (${errorReason(error)}): name a data-dir on a file system that has sockets`
  const remedy = remedies[code] ?? 'correct host or port'
  return `cannot listen on ${place.host}, port ${place.port} (${errorReason(error)}): ${remedy}`
}

/** A listener whose requests wait until it is given the one that answers them; it answers none whose client has gone. */
const createAwaited = (): Pick<ListeningServer, 'serve'> & { readonly listener: Listener } => {
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

const listening = (server: Server, options: ListenOptions): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail)
    server.listen('path' in options ? { path: options.path } : { host: options.host, port: options.port }, () => {
      server.off('error', fail).on('error', options.onError)
      done()
    })
  })

/** Accepts connections. Requests wait until the server is given the listener that answers them, which may name the port. */
export const listen = (options: ListenOptions): TE.TaskEither<string, ListeningServer> =>
  TE.tryCatch(
    async () => {
      const { admitRequests } = options.admission
      const { listener, serve } = createAwaited()
      const server = createLimitedServer(options.admission)
        .on('checkContinue', admitRequests(continuing(listener)))
        .on('request', admitRequests(listener))
      if ('path' in options) makeSocketDirectory(options.path)
      await listening(server, options)
      if ('path' in options) guardSocket(options.path)
      return { port: portOf(server.address()), serve, close: closeServer(server, options.drainLimit) }
    },
    (error) => refusal(options, error),
  )
