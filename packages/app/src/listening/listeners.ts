import {
  type Listener,
  type ListenerPorts,
  createManagementListener,
  createPublicListener,
} from '@clientele/adapters-http'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestListener } from 'node:http'
import { type Admission, type AdmissionOptions, createAdmission } from './admission.js'
import { pathOf } from '../config/values/base-url.js'
import type { Config } from '../config/settings.js'
import { baseUrlAt, httpSettings, localUrl } from '../wiring/http-settings.js'
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

/** Makes listeners of settings and ports. */
export type Shell = {
  readonly createPublicListener: typeof createPublicListener
  readonly createManagementListener: typeof createManagementListener
}

export const koaShell: Shell = { createPublicListener, createManagementListener }

export type ListenersOptions = {
  readonly shell: Shell
  readonly log: Log
  readonly config: Config
  readonly data: OpenedData
  readonly live: LiveListeners
  readonly metrics: Metrics
  readonly ports: ListenerPorts
  readonly mount?: ((listener: RequestListener) => void) | undefined
  /** The public listener of a base URL, which the function makes of the ports that it is given. */
  readonly listenerAt: (baseUrl: string, create: (ports: ListenerPorts) => Listener) => Listener
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

// Either under the host's server, which serves the base URL, or on a port of its own.
const openPublicly = (start: ListenersOptions): TE.TaskEither<string, Listeners> => {
  const { shell, config, mount, live } = start
  const served = { withOperators: config['management-port'] === undefined }
  const listenerAt = (baseUrl: string): Listener =>
    live.listenerOf(({ documents, ...now }) => {
      const settings = { ...httpSettings(now.config, now.masterTokens, baseUrl), documents }
      return start.listenerAt(baseUrl, (ports) => shell.createPublicListener(settings, ports, served))
    })
  return mount === undefined
    ? listenPublicly(start, listenerAt)
    : TE.fromEither(
        mountPublicly(config, (baseUrl) => mount(publicAdmission(start).admitRequests(listenerAt(baseUrl)))),
      )
}

const listenPublicly = (
  start: ListenersOptions,
  listenerAt: (baseUrl: string) => Listener,
): TE.TaskEither<string, Listeners> => {
  const { config } = start
  const admission = publicAdmission(start)
  const options = {
    ...listenOptions(start),
    drainLimit: publicDrainLimit,
    admission,
    host: config.host,
    port: config.port,
  }
  return pipe(
    listen(options, (port) => listenerAt(baseUrlAt(config, port))),
    TE.map((server) => {
      const baseUrl = baseUrlAt(config, server.port)
      const url = `${localUrl(config.host, server.port)}${pathOf(baseUrl)}`
      return { servers: [server], baseUrl, url, managementUrl: undefined }
    }),
  )
}

const mountPublicly = (config: Config, mountAt: (baseUrl: string) => void): E.Either<string, Listeners> => {
  const baseUrl = config['base-url']
  if (baseUrl === undefined)
    return E.left('base-url is required where the service is mounted: set it to the URL under which the host serves it')
  mountAt(baseUrl)
  return E.right({ servers: [], baseUrl, url: baseUrl, managementUrl: undefined })
}

// The management port closes last, so that it can report that the service is stopping.
export const closeListeners = async (servers: ReadonlyArray<ListeningServer>): Promise<void> => {
  for (const server of servers) await server.close()
}

// A separate port, so that routes without authentication are not public.
const listenForManagement =
  (start: ListenersOptions) =>
  (listening: Listeners): TE.TaskEither<string, Listeners> => {
    const { shell, config, metrics, ports, live } = start
    const port = config['management-port']
    if (port === undefined) return TE.right(listening)
    const host = config['management-host']
    const options = { ...listenOptions(start), ...operatorOptions(start), host, port }
    const isGuarded = config['metrics-need-token']
    const portsHere = isGuarded ? { ...ports, metrics: () => metricsAsText(metrics) } : ports
    const listener = live.listenerOf((now) =>
      shell.createManagementListener(httpSettings(now.config, now.masterTokens, listening.baseUrl), portsHere),
    )
    return pipe(
      listen(options, () => (isGuarded ? listener : withMetrics(metrics, listener))),
      TE.map((server) => {
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
    const { shell, data, ports, live } = start
    if (data.files === undefined) return TE.right(listening)
    const options = { ...listenOptions(start), ...operatorOptions(start), path: data.files.socket }
    return pipe(
      listen(options, () =>
        live.listenerOf((now) => {
          const settings = httpSettings(now.config, now.masterTokens, listening.baseUrl)
          return shell.createManagementListener({ ...settings, basePath: '', operatorAlone: 'socket' }, ports)
        }),
      ),
      TE.map((server) => ({ ...listening, servers: [server, ...listening.servers] })),
      TE.tapError(() => TE.fromTask(() => closeListeners(listening.servers))),
    )
  }

/**
 * Opens the public port, the management port if there is one, and the socket of the commands, which on PostgreSQL work
 * on the database.
 */
export const openListeners = (start: ListenersOptions): TE.TaskEither<string, Listeners> =>
  pipe(openPublicly(start), TE.flatMap(listenForManagement(start)), TE.flatMap(listenForCommands(start)))
