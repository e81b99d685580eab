import { declaresTooMuch, type Listener } from '@clientele/adapters-http'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Admission } from './admission.js'
import { errorCode } from './config/read-file.js'

export type ListeningServer = {
  readonly port: number
  /** Takes no more connections, lets running requests finish within the drain limit, then ends them. */
  readonly close: () => Promise<void>
}

export type ListenOptions = {
  readonly host: string
  readonly port: number
  readonly admission: Admission
  /** Milliseconds that running requests have when the server closes. */
  readonly drainLimit: number
  /** Told when a connection cannot be accepted, such as for want of file descriptors; the server goes on. */
  readonly onError: (error: unknown) => void
}

const idleLimit = 30_000

// Node checks its own limits every 30 s when not told otherwise, so a limit of 10 s would act after 40.
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16_384,
}

// RFC 9110 §10.1.1: an expectation that cannot be met; Node's own answer may be stored and tells no length.
const refuseExpectation: Listener = (_, response) =>
  response.writeHead(417, { 'Cache-Control': 'no-store', Pragma: 'no-cache', 'Content-Length': 0 }).end()

// RFC 9110 §10.1.1: a final status in place of 100 for a body that is refused by its length; the listener gives it.
const continuing =
  (listener: Listener): Listener =>
  (request, response) => {
    if (!declaresTooMuch(request)) response.writeContinue()
    return listener(request, response)
  }

// So that the connections of a proxy come to a new instance beside this one before long.
const mostRequestsOnConnection = 10_000

const createLimitedServer = ({ admitConnection, admitRequests }: Admission): Server => {
  const server = createServer(limits)
    .on('connection', admitConnection)
    .on('checkExpectation', admitRequests(refuseExpectation))
  server.maxRequestsPerSocket = mostRequestsOnConnection
  // Ends a connection on which nothing moves: above all, a reader that does not take its answer.
  server.timeout = idleLimit
  return server
}

const closeServer = (server: Server, drainLimit: number) => (): Promise<void> =>
  new Promise((closed) => {
    const idle = setInterval(() => server.closeIdleConnections(), 50)
    // A busy connection would never be idle: the next answer on it is its last.
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

const refusal = (host: string, port: number, error: unknown): string =>
  `cannot listen on ${host}, port ${port} (${errorCode(error)}): ` +
  (errorCode(error) === 'EADDRINUSE' ? 'stop what uses the port, or set another' : 'correct host or port')

const listening = (
  server: Server,
  { host, port, admission, onError }: ListenOptions,
  listenerAt: (port: number) => Listener,
): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(port, host, () => {
      const listener = listenerAt(portOf(server.address()))
      server
        .off('error', fail)
        .on('error', onError)
        .on('checkContinue', admission.admitRequests(continuing(listener)))
        .on('request', admission.admitRequests(listener))
      done()
    })
  })

/** The listener is made when the port is known, before the first request is read. */
export const listen = (
  options: ListenOptions,
  listenerAt: (port: number) => Listener,
): TE.TaskEither<string, ListeningServer> =>
  TE.tryCatch(
    async () => {
      const server = createLimitedServer(options.admission)
      await listening(server, options, listenerAt)
      return { port: portOf(server.address()), close: closeServer(server, options.drainLimit) }
    },
    (error) => refusal(options.host, options.port, error),
  )
