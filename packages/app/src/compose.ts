// The whole service from its settings: opened, listening, and stopped in the reverse order.
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from './config/settings.js'
import type { FirstRun } from './first-run.js'
import type { Draining } from './http-ports.js'
import { httpPorts } from './http-ports.js'
import type { Listeners } from './listeners.js'
import { closeListeners, openListeners } from './listeners.js'
import type { ListeningServer } from './listening-server.js'
import type { Log } from './log.js'
import { createMetrics } from './metrics.js'
import type { OpenedData } from './open-data.js'
import { openData } from './open-data.js'
import { removeServiceFile, writeServiceFile } from './running-service.js'

export type ServiceOptions = {
  readonly log: Log
  readonly pid: number
  /** The store cannot go on: the process must end. */
  readonly onFatal: (error: unknown) => void
}

export type Service = Omit<Listeners, 'servers'> & {
  readonly firstRun: FirstRun
  /** Finishes running requests within ten seconds, then closes the store. */
  readonly stop: () => Promise<void>
}

const stopService =
  (data: OpenedData, servers: ReadonlyArray<ListeningServer>, draining: Draining) => async (): Promise<void> => {
    draining.begun = true
    removeServiceFile(data.files.service)
    await closeListeners(servers)
    await data.store.close()
  }

const startListening =
  (config: Config, options: ServiceOptions) =>
  (data: OpenedData): TE.TaskEither<string, Service> => {
    removeServiceFile(data.files.service)
    const [metrics, draining] = [createMetrics(), { begun: false }]
    const ports = httpPorts(config, data, metrics, options.log, draining)
    return pipe(
      openListeners({ log: options.log, config, data, metrics, ports }),
      TE.tapError(() => TE.fromTask(() => data.store.close())),
      TE.map(({ servers, ...listening }) => {
        writeServiceFile(data.files.service, { url: listening.commandsUrl, pid: options.pid })
        return { ...listening, firstRun: data, stop: stopService(data, servers, draining) }
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
