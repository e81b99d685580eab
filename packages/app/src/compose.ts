// The whole service from its settings: each port is one line, and nothing is decided here.
import type { HttpPorts } from '@clientele/adapters-http'
import { createManagementListener, createPublicListener } from '@clientele/adapters-http'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import { pathOf } from './config/base-url.js'
import type { Config } from './config/settings.js'
import type { FirstRun } from './first-run.js'
import { baseUrlAt, httpSettings } from './http-settings.js'
import type { ListeningServer } from './listening-server.js'
import { listen } from './listening-server.js'
import { localUrl } from './local-url.js'
import type { Log } from './log.js'
import type { Metrics } from './metrics.js'
import { createMetrics } from './metrics.js'
import { withMetrics } from './metrics-listener.js'
import type { OpenedData } from './open-data.js'
import { openData } from './open-data.js'
import { remoteAddress } from './remote-address.js'
import type { RequestEntry } from './request-log.js'
import { logRequest } from './request-log.js'
import { removeServiceFile, writeServiceFile } from './service-file.js'

export type ServiceOptions = {
  readonly log: Log
  readonly pid: number
  /** The store cannot go on: the process must end. */
  readonly onFatal: (error: unknown) => void
}

export type Service = {
  readonly baseUrl: string
  /** Where this machine reaches the service, with the path of the base URL. */
  readonly url: string
  readonly firstRun: FirstRun
  /** Finishes running requests within ten seconds, then closes the store. */
  readonly stop: () => Promise<void>
}

const drainLimit = 10_000
const maximumConnections = 2_000
const maximumManagementConnections = 100

type Draining = { begun: boolean }

const httpPorts = (config: Config, data: OpenedData, log: (entry: RequestEntry) => void, draining: Draining): HttpPorts => ({
  ...data.store.registry,
  ...data.store.initialAccessTokens,
  ...data.fresh,
  hashToken: data.hashToken,
  checks: [{ name: 'store', check: data.store.check }],
  isDraining: () => draining.begun,
  requestId: randomUUID,
  log,
  remoteAddress: remoteAddress(config['trusted-proxies']),
})

type Listening = { readonly servers: ReadonlyArray<ListeningServer>; readonly baseUrl: string; readonly url: string }

const listenPublicly = (config: Config, data: OpenedData, ports: HttpPorts): TE.TaskEither<string, Listening> =>
  pipe(
    listen({ host: config.host, port: config.port, maximumConnections }, (port) =>
      createPublicListener(httpSettings(config, data.masterTokenHash, baseUrlAt(config, port)), ports, {
        withHealth: config['management-port'] === undefined,
      }),
    ),
    TE.map((server) => {
      const baseUrl = baseUrlAt(config, server.port)
      return { servers: [server], baseUrl, url: `${localUrl(config.host, server.port)}${pathOf(baseUrl)}` }
    }),
  )

// The management port closes last, so that it can still say that the service is stopping.
const closeAll = async (servers: ReadonlyArray<ListeningServer>): Promise<void> => {
  for (const server of servers) await server.close(drainLimit)
}

const listenForManagement =
  (config: Config, data: OpenedData, ports: HttpPorts, metrics: Metrics) =>
  (listening: Listening): TE.TaskEither<string, Listening> => {
    const port = config['management-port']
    const settings = httpSettings(config, data.masterTokenHash, listening.baseUrl)
    return port === undefined
      ? TE.right(listening)
      : pipe(
          listen({ host: config.host, port, maximumConnections: maximumManagementConnections }, () =>
            withMetrics(metrics, createManagementListener(settings, ports)),
          ),
          TE.map((server) => ({ ...listening, servers: [...listening.servers, server] })),
          TE.tapError(() => TE.fromTask(() => closeAll(listening.servers))),
        )
  }

const stopService = (data: OpenedData, listening: Listening, draining: Draining) => async (): Promise<void> => {
  draining.begun = true
  removeServiceFile(data.files.service)
  await closeAll(listening.servers)
  await data.store.close()
}

const startListening =
  (config: Config, options: ServiceOptions) =>
  (data: OpenedData): TE.TaskEither<string, Service> => {
    const [metrics, draining, logEntry] = [createMetrics(), { begun: false }, logRequest(options.log)]
    const observe = (entry: RequestEntry): void => {
      metrics.observe(entry)
      logEntry(entry)
    }
    const ports = httpPorts(config, data, observe, draining)
    return pipe(
      listenPublicly(config, data, ports),
      TE.flatMap(listenForManagement(config, data, ports, metrics)),
      TE.tapError(() => TE.fromTask(() => data.store.close())),
      TE.map((listening) => {
        writeServiceFile(data.files.service, { url: listening.url, pid: options.pid })
        return { ...listening, firstRun: data, stop: stopService(data, listening, draining) }
      }),
    )
  }

/** Starts the service: opens the data, then listens. A refusal is one line for the operator. */
export const compose = (config: Config, options: ServiceOptions): TE.TaskEither<string, Service> =>
  pipe(
    TE.fromIOEither(() => openData(config, { onFatal: options.onFatal, expectExisting: false })),
    TE.mapLeft(({ message }) => message),
    TE.flatMap(startListening(config, options)),
  )
