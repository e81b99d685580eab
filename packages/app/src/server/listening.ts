// Where the service listens, and how: the public port, the management port and the socket of the commands.
import {
  type HttpSettings,
  type Listener,
  type ListenerPorts,
  type MountedEngine,
  type PageRenderer,
  type PublishedDocument,
  createManagementListener,
  createPublicListener,
  declaresTooMuch,
} from '@clientele/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type RequestListener, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Config } from '../config/settings.js'
import { pathOf } from '../config/values.js'
import { errorCode, errorReason } from '../config/files.js'
import { guardSocket, makeSocketDirectory } from '../data/data-directory.js'
import type { MasterTokenHashes, OpenedData } from '../data/open-data.js'
import { baseUrlAt, httpSettings, localUrl } from '../config/listening.js'
import { type Admission, createAdmission, createEntrance } from './admission.js'
import { type Metrics, withMetrics } from '../observing/metrics.js'
import { type Log, reportRefusals } from '../observing/log.js'
import type { Sources } from './peers.js'

export type ListeningServer = {
  readonly port: number
  /** Answers requests by the listener from now on. Those that came before the first one wait for it. */
  readonly serve: (listener: Listener) => void
  /** Accepts no more connections, waits for running requests up to the drain limit, then ends them. */
  readonly close: () => Promise<void>
}

/** A port, or the path of a Unix domain socket. */
type Place = { readonly host: string; readonly port: number } | { readonly path: string }

type ListenOptions = Place & {
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
  const remedy = remedies[code] ?? 'correct host and port, or management-host and management-port'
  return `cannot listen on ${place.host}, port ${place.port} (${errorReason(error)}): ${remedy}`
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
      const { listener, serve } = createEntrance()
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

/** What a running service takes over without a restart. */
export type Live = {
  readonly config: Config
  readonly masterTokens: MasterTokenHashes
  /** The documents of the public port. */
  readonly documents: ReadonlyArray<PublishedDocument>
  readonly renderPage: PageRenderer
}

export type LiveListeners = {
  /** Serves a listener that is made anew for each takeover: each request is answered as a whole by one of them. */
  readonly serveBy: (serve: (listener: Listener) => void, make: (live: Live) => Listener) => void
  readonly takeOver: (live: Live) => void
  readonly present: () => Live
}

export type Listeners = {
  readonly baseUrl: string
  /** The local URL of the service, with the path of the base URL. */
  readonly url: string
  /** The local URL of health and metrics, if they have a port of their own. */
  readonly managementUrl: string | undefined
  readonly servers: ReadonlyArray<ListeningServer>
}

/** The service as clients reach it. Their requests wait until it is given the listener that answers them. */
type PublicPort = Omit<Listeners, 'managementUrl'> & Pick<ListeningServer, 'serve'>

type ListenersOptions = {
  readonly log: Log
  readonly config: Config
  readonly data: OpenedData
  readonly live: LiveListeners
  readonly metrics: Metrics
  readonly sources: Sources
  readonly mount?: ((listener: RequestListener) => void) | undefined
}

const admissionOf = (start: ListenersOptions, maxConnections: number, maxRequests: number): Admission => {
  const { log, metrics, sources } = start
  const onRefused = reportRefusals(log, metrics, () => performance.now())
  return createAdmission({ maxConnections, maxRequests, sources, onRefused })
}

const publicAdmission = (start: ListenersOptions): Admission =>
  admissionOf(start, start.config['maximum-connections'], start.config['maximum-requests'])

const listenAt = (
  { log }: ListenersOptions,
  place: Place,
  admission: Admission,
  drainLimit: number,
): TE.TaskEither<string, ListeningServer> =>
  listen({
    ...place,
    admission,
    drainLimit,
    onError: (error) => log.error({ err: error }, 'a connection cannot be accepted'),
  })

/** Under the host's server, which serves the base URL, or on a port of its own. */
export const openPublicPort = (start: ListenersOptions): TE.TaskEither<string, PublicPort> => {
  const { config, mount } = start
  const { host, port, 'base-url': mounted } = config
  if (mount === undefined)
    return pipe(
      listenAt(start, { host, port }, publicAdmission(start), 10_000),
      TE.map((server) => {
        const baseUrl = baseUrlAt(config, server.port)
        const url = `${localUrl(host, server.port)}${pathOf(baseUrl)}`
        return { servers: [server], baseUrl, url, serve: server.serve }
      }),
    )
  if (mounted === undefined)
    return TE.left(
      'base-url is required where the service is mounted: set it to the URL under which the host serves it',
    )
  const { listener, serve } = createEntrance()
  const admitted = publicAdmission(start).admitRequests(listener)
  let isMounted = false
  return TE.right({
    servers: [],
    baseUrl: mounted,
    url: mounted,
    serve: (next) => {
      serve(next)
      // The host gets no listener of a service that cannot start.
      if (!isMounted) mount(admitted)
      isMounted = true
    },
  })
}

export const closeListeners = async (servers: ReadonlyArray<ListeningServer>): Promise<void> => {
  for (const server of servers) await server.close()
}

// Limits of their own, so that load on the public port takes no place of probes and commands, of which there are few.
const listenForOperators = (
  start: ListenersOptions,
  place: Place | undefined,
  make: (live: Live, port: number) => Listener,
): TE.TaskEither<string, ListeningServer | undefined> =>
  place === undefined
    ? TE.right(undefined)
    : pipe(
        listenAt(start, place, admissionOf(start, 100, 100), 500),
        TE.map((server) => {
          start.live.serveBy(server.serve, (now) => make(now, server.port))
          return server
        }),
      )

const present = (servers: ReadonlyArray<ListeningServer | undefined>): ReadonlyArray<ListeningServer> =>
  servers.filter((server) => server !== undefined)

/** The ports of the routes for clients, and the authorization server beside them, if there is one. */
type ForClients = { readonly ports: ListenerPorts; readonly engine: MountedEngine | undefined }

/**
 * Serves the public port, and opens the management port if there is one, and the socket of the commands, which on PostgreSQL
 * work on the database. `ports` are of the routes for operators.
 */
export const serveOn = (
  start: ListenersOptions & { readonly ports: ListenerPorts },
  { serve, servers, baseUrl, url }: PublicPort,
  forClients: ForClients,
): TE.TaskEither<string, Listeners> => {
  const { config, data, live, metrics, ports } = start
  const { 'management-host': host, 'management-port': port } = config
  const served = { withOperators: port === undefined, engine: forClients.engine }
  const metricsAsText = async () => ({ contentType: metrics.contentType, text: await metrics.read() })
  // The management port serves them, and the documents of the base URL describe it.
  const metricsByToken =
    port !== undefined && config['metrics-need-token'] ? { metrics: () => metricsAsText } : undefined
  const settingsOf = (now: Live, managementPort?: number): HttpSettings =>
    httpSettings(now.config, now.masterTokens, baseUrl, managementPort)
  const close = (opened: ReadonlyArray<ListeningServer | undefined>) => () =>
    TE.fromTask(() => closeListeners(present(opened)))

  live.serveBy(serve, (now) =>
    createPublicListener(
      { ...settingsOf(now), documents: now.documents },
      { ...forClients.ports, ...metricsByToken },
      served,
    ),
  )
  return pipe(
    // A separate port, so that routes without authentication are not public.
    listenForOperators(start, port === undefined ? undefined : { host, port }, (now, taken) =>
      metricsByToken === undefined
        ? withMetrics(metrics, createManagementListener(settingsOf(now, taken), ports))
        : createManagementListener(settingsOf(now, taken), { ...ports, ...metricsByToken }),
    ),
    TE.tapError(close(servers)),
    TE.bindTo('management'),
    TE.bind('commands', ({ management }) =>
      pipe(
        // The caller is the operator: file permissions restrict the socket, so that no token is required.
        listenForOperators(start, data.files && { path: data.files.socket }, (now) =>
          createManagementListener(
            { ...settingsOf(now, management?.port), basePath: '', operatorAlone: 'socket' },
            ports,
          ),
        ),
        TE.tapError(close([...servers, management])),
      ),
    ),
    TE.map(({ management, commands }) => ({
      baseUrl,
      url,
      managementUrl: management && localUrl(host, management.port),
      // The management port closes last, so that it can report that the service is stopping.
      servers: present([commands, ...servers, management]),
    })),
  )
}
