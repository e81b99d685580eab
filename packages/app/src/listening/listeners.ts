import {
  type ListenerPorts,
  type MountedEngine,
  createManagementListener,
  createPublicListener,
} from '@clientele/adapters-http'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestListener } from 'node:http'
import { type Admission, type AdmissionOptions, createAdmission } from './admission.js'
import { pathOf } from '../config/values.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, httpSettings, localUrl } from '../config/listening.js'
import { type ListenOptions, type ListeningServer, listen } from './listening-server.js'
import type { Log } from '../observing/log.js'
import { metricsAsText, withMetrics, type Metrics } from '../observing/metrics.js'
import type { OpenedData } from '../data/open-data.js'
import type { LiveListeners } from './live.js'
import { reportRefusals } from '../observing/refusals.js'
import { createSources } from './sources.js'

const publicDrainLimit = 10_000
// Separate limits, so that load on the public port takes no place of probes and commands, of which there are few.
const managementLimits = { maxConnections: 100, maxRequests: 100, drainLimit: 500 }

export type Listeners = {
  readonly baseUrl: string
  /** The local URL of the service, with the path of the base URL. */
  readonly url: string
  /** The local URL of health and metrics, if they have a port of their own. */
  readonly managementUrl: string | undefined
  readonly servers: ReadonlyArray<ListeningServer>
}

/** The service as clients reach it. Their requests wait until it is given the listener that answers them. */
export type PublicPort = Omit<Listeners, 'managementUrl'> & Pick<ListeningServer, 'serve'>

export type ListenersOptions = {
  readonly log: Log
  readonly config: Config
  readonly data: OpenedData
  readonly live: LiveListeners
  readonly metrics: Metrics
  readonly ports: ListenerPorts
  readonly mount?: ((listener: RequestListener) => void) | undefined
}

const listenOptions = ({ log }: ListenersOptions): Pick<ListenOptions, 'onError'> => ({
  onError: (error) => log.error({ err: error }, 'a connection cannot be accepted'),
})

type AdmissionLimits = Pick<AdmissionOptions, 'maxConnections' | 'maxRequests'>

const admissionOf = ({ config, ports, log, metrics }: ListenersOptions, limits: AdmissionLimits): Admission =>
  createAdmission({
    ...limits,
    sources: createSources(config['trusted-proxies'], ports.remoteAddress),
    onRefused: reportRefusals(log, metrics, () => performance.now()),
  })

const publicAdmission = (start: ListenersOptions): Admission =>
  admissionOf(start, {
    maxConnections: start.config['maximum-connections'],
    maxRequests: start.config['maximum-requests'],
  })

// Load on the public port takes no place of operators.
const operatorOptions = (start: ListenersOptions): Pick<ListenOptions, 'admission' | 'drainLimit'> => ({
  admission: admissionOf(start, managementLimits),
  drainLimit: managementLimits.drainLimit,
})

const listenPublicly = (start: ListenersOptions): TE.TaskEither<string, PublicPort> => {
  const { config } = start
  const { host, port } = config
  return pipe(
    listen({ ...listenOptions(start), drainLimit: publicDrainLimit, admission: publicAdmission(start), host, port }),
    TE.map((server) => {
      const baseUrl = baseUrlAt(config, server.port)
      return {
        servers: [server],
        baseUrl,
        url: `${localUrl(host, server.port)}${pathOf(baseUrl)}`,
        serve: server.serve,
      }
    }),
  )
}

const mountPublicly = (
  start: ListenersOptions,
  mount: NonNullable<ListenersOptions['mount']>,
): E.Either<string, PublicPort> => {
  const baseUrl = start.config['base-url']
  return baseUrl === undefined
    ? E.left('base-url is required where the service is mounted: set it to the URL under which the host serves it')
    : E.right({
        servers: [],
        baseUrl,
        url: baseUrl,
        serve: (listener) => mount(publicAdmission(start).admitRequests(listener)),
      })
}

/** Under the host's server, which serves the base URL, or on a port of its own. */
export const openPublicPort = (start: ListenersOptions): TE.TaskEither<string, PublicPort> =>
  start.mount === undefined ? listenPublicly(start) : TE.fromEither(mountPublicly(start, start.mount))

// The management port closes last, so that it can report that the service is stopping.
export const closeListeners = async (servers: ReadonlyArray<ListeningServer>): Promise<void> => {
  for (const server of servers) await server.close()
}

// A separate port, so that routes without authentication are not public.
const listenForManagement =
  (start: ListenersOptions) =>
  (listening: Listeners): TE.TaskEither<string, Listeners> => {
    const { config, metrics, ports, live } = start
    const port = config['management-port']
    if (port === undefined) return TE.right(listening)
    const host = config['management-host']
    const options = { ...listenOptions(start), ...operatorOptions(start), host, port }
    const isGuarded = config['metrics-need-token']
    const portsHere = isGuarded ? { ...ports, metrics: () => metricsAsText(metrics) } : ports
    const listener = live.listenerOf((now) =>
      createManagementListener(httpSettings(now.config, now.masterTokens, listening.baseUrl), portsHere),
    )
    return pipe(
      listen(options),
      TE.map((server) => {
        server.serve(isGuarded ? listener : withMetrics(metrics, listener))
        const managementUrl = localUrl(host, server.port)
        return { ...listening, servers: [...listening.servers, server], managementUrl }
      }),
      TE.tapError(() => TE.fromTask(() => closeListeners(listening.servers))),
    )
  }

// The caller is the operator: file permissions restrict the socket, so that no token is required.
const listenForCommands =
  (start: ListenersOptions) =>
  (listening: Listeners): TE.TaskEither<string, Listeners> => {
    const { data, ports, live } = start
    if (data.files === undefined) return TE.right(listening)
    const options = { ...listenOptions(start), ...operatorOptions(start), path: data.files.socket }
    return pipe(
      listen(options),
      TE.map((server) => {
        const listener = live.listenerOf((now) => {
          const settings = httpSettings(now.config, now.masterTokens, listening.baseUrl)
          return createManagementListener({ ...settings, basePath: '', operatorAlone: 'socket' }, ports)
        })
        server.serve(listener)
        return { ...listening, servers: [server, ...listening.servers] }
      }),
      TE.tapError(() => TE.fromTask(() => closeListeners(listening.servers))),
    )
  }

/** The ports of the routes for clients, and the authorization server beside them, if there is one. */
export type ForClients = { readonly ports: ListenerPorts; readonly engine: MountedEngine | undefined }

/**
 * Serves the public port, and opens the management port if there is one, and the socket of the commands, which on PostgreSQL
 * work on the database.
 */
export const serveOn = (
  start: ListenersOptions,
  { serve, ...listening }: PublicPort,
  { ports, engine }: ForClients,
): TE.TaskEither<string, Listeners> => {
  const withOperators = start.config['management-port'] === undefined
  const listener = start.live.listenerOf(({ documents, config, masterTokens }) => {
    const settings = { ...httpSettings(config, masterTokens, listening.baseUrl), documents }
    return createPublicListener(settings, ports, { withOperators, engine })
  })
  serve(listener)
  return pipe(
    TE.right({ ...listening, managementUrl: undefined }),
    TE.flatMap(listenForManagement(start)),
    TE.flatMap(listenForCommands(start)),
  )
}
