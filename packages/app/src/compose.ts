// The whole service from its settings: opened, listening, and stopped in the reverse order.
import type { KeyRotationScheduler } from '@clientele/adapters-jose'
import type { HostLogin } from '@clientele/adapters-login'
import type { EngineMaker } from '@clientele/adapters-oidc-provider'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { EndUserLogin, KeyMaker, StoreOpener } from '@clientele/domain/ports'
import { inspectDatabase } from '@clientele/adapters-sqlite'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestListener } from 'node:http'
import { reloadBySignal } from './audit/audited-reload.js'
import { createBackground } from './background.js'
import type { Config } from './config/settings.js'
import type { FirstRun } from './data/first-run.js'
import { type Draining, httpPorts } from './http-ports.js'
import { type Listeners, closeListeners, openPublicPort, serveOn } from './listening/listeners.js'
import { type Presence, createPresence } from './instances/presence.js'
import { keyPorts } from './keys/key-ports.js'
import { startKeyRotation } from './keys/key-rotation.js'
import { keySettings } from './keys/key-settings.js'
import type { ListeningServer } from './listening/listening-server.js'
import { type DevelopmentStart, prepareLogin, requireLogin } from './login/first-account.js'
import type { Log } from './observing/log.js'
import type { LogoutDispatcher } from './logout/logout-dispatcher.js'
import { refuseLostKeys, type OpenedData, openData } from './data/open-data.js'
import { type Metrics, createMetrics } from './observing/metrics.js'
import { watchedIn } from './wiring/watched.js'
import type { Provider } from './provider/provider.js'
import { loadEngineOf } from './engine/open-engine.js'
import { provide } from './engine/provided.js'
import { type ReadConfig, type Reloading, createReloading } from './reload.js'
import type { RepeatedPasses } from './repeated-passes.js'
import { sectorIdentifiers, signersKeySets } from './wiring/reach-out.js'
import { serviceDispatcher } from './logout/service-dispatcher.js'

export type ServiceOptions = {
  readonly log: Log
  /** Called when the store cannot continue: the process must end. */
  readonly onFatal: (error: unknown) => void
  /** Options for outgoing requests, in place of the strict rules. */
  readonly outbound?: Partial<OutboundOptions>
  /** Milliseconds that the start waits for PostgreSQL; 30 seconds by default. */
  readonly waitForDatabase?: number
  /** Opens the store, in place of the database of the settings. */
  readonly openStore?: StoreOpener
  /** The clock of clients, tokens, sessions and keys; budgets, instances and the engine follow the host's. */
  readonly now?: () => EpochSeconds
  /** Makes the keys of the service, in place of the system's secure random source. */
  readonly keyMaker?: KeyMaker
  /** Signs end-users in, in place of the setting login. */
  readonly login?: HostLogin
  /** Reads the settings again for a reload; without it, there is none. */
  readonly readConfig?: ReadConfig
  /** Makes the other workers reload, after a request to this one. */
  readonly reloadOthers?: (() => void) | undefined
  /** In place of the metrics of this process alone. */
  readonly metrics?: Metrics | undefined
  /**
   * If present, the service has no public port of its own: the host serves this listener at the path of `base-url`,
   * which is required then, and closes its server before it stops the service.
   */
  readonly mount?: (listener: RequestListener) => void
}

export type Service = Omit<Listeners, 'servers'> & {
  readonly firstRun: FirstRun
  /** The keys as this process has them. `reconcile` looks at once what is due, for a host whose clock has jumped. */
  readonly keys: Pick<KeyRotationScheduler, 'keyRings' | 'reconcile'>
  /** For an OpenID provider in the same process. */
  readonly provider: Provider
  /** How end-users sign in, where the settings or the host say so. */
  readonly login: EndUserLogin | undefined
  /** With login development. */
  readonly accounts: DevelopmentStart | undefined
  /** Takes over changed settings, or refuses them as a whole. */
  readonly reload: ((isRecorded: boolean) => void) | undefined
  /** Completes running requests within ten seconds, then closes the store. */
  readonly stop: () => Promise<void>
}

type Stopping = {
  readonly presence: Presence
  readonly rotation: KeyRotationScheduler
  readonly dispatcher: LogoutDispatcher
  readonly background: RepeatedPasses
}

const stopService =
  (
    data: OpenedData,
    { presence, rotation, dispatcher, background }: Stopping,
    servers: ReadonlyArray<ListeningServer>,
    draining: Draining,
  ) =>
  async (): Promise<void> => {
    draining.begun = true
    await Promise.all([closeListeners(servers), dispatcher.stop()])
    await background.stop()
    await Promise.all([rotation.stop(), presence.stop()])
    await data.store.close()
  }

type Ready = {
  readonly rotation: KeyRotationScheduler
  readonly reloading: Reloading
  readonly accounts: DevelopmentStart | undefined
  readonly engineMaker: EngineMaker | undefined
}

type MeasuredOptions = ServiceOptions & { readonly metrics: Metrics }

const startListening =
  (config: Config, options: MeasuredOptions, presence: Presence) =>
  (data: OpenedData) =>
  ({ rotation, reloading, accounts, engineMaker }: Ready): TE.TaskEither<string, Service> => {
    const { log, outbound, mount, metrics, login: host } = options
    const draining = { begun: false }
    const dispatcher = serviceDispatcher(config, data, options)
    const sectors = sectorIdentifiers(config, outbound)
    const keySets = signersKeySets(config, outbound)
    const running = { presence, rotation, dispatcher, background: createBackground(config, data, rotation, log) }
    const ports = httpPorts({ config, data, metrics, log, draining, ...running, ...reloading, sectors, keySets })
    const start = { log, config, data, metrics, ports, mount, live: reloading.live }
    return pipe(
      openPublicPort(start),
      TE.bindTo('port'),
      // No request comes before all is served: what follows waits for nothing.
      TE.let('provided', ({ port }) =>
        provide({ ...start, ...reloading, rotation, draining, outbound, host, engineMaker, issuer: port.baseUrl }),
      ),
      TE.bind('listening', ({ port, provided }) => serveOn(start, port, provided)),
      TE.tapError(() => TE.fromTask(rotation.stop)),
      TE.map(({ provided: { provider, login }, listening: { servers, ...listening } }) => {
        dispatcher.start(provider.signToken)
        running.background.start()
        presence.begin(metrics.setClockDifference)
        metrics.watch(watchedIn(config, data, rotation))
        return {
          ...listening,
          firstRun: { files: data.files, database: data.database, made: data.made, found: data.found },
          keys: rotation,
          provider,
          login,
          accounts,
          reload: reloading.reload === undefined ? undefined : reloadBySignal(data, reloading.reload, log),
          stop: stopService(data, running, servers, draining),
        }
      }),
    )
  }

// No refusal: an operator may have added an index.
const warnOfSchema = ({ files }: OpenedData, log: Log): T.Task<void> =>
  files === undefined
    ? T.of(undefined)
    : pipe(
        inspectDatabase(files.database),
        TE.match(
          () => undefined,
          ({ differences }) => {
            if (differences.length > 0)
              log.warn({ differences }, 'the database has another schema than this service makes: see clientele doctor')
          },
        ),
      )

/** Starts the service: opens the data, then listens. A refusal is one line for the operator. */
export const compose = (config: Config, given: ServiceOptions): TE.TaskEither<string, Service> => {
  const metrics = given.metrics ?? createMetrics()
  const options = { ...given, metrics }
  const presence = createPresence(config, options.log)
  const close = async ({ store }: OpenedData): Promise<void> => {
    await presence.stop()
    await store.close()
  }
  return pipe(
    TE.fromEither(requireLogin(config, options.login)),
    TE.flatMap(() =>
      pipe(
        openData(config, {
          ...options,
          onCommit: metrics.commit,
          admit: presence.admit,
          withdraw: presence.stop,
          expectExisting: false,
        }),
        TE.mapLeft(({ message }) => message),
      ),
    ),
    TE.tapTask((data) => warnOfSchema(data, options.log)),
    TE.flatMap((data) =>
      pipe(
        TE.fromEither(createReloading({ ...options, config, data, presence })),
        TE.bindTo('reloading'),
        TE.tap(() => refuseLostKeys(data)),
        TE.bind('accounts', () => prepareLogin(config, options.login)),
        TE.bind('rotation', () =>
          startKeyRotation({
            settings: keySettings(config),
            ports: { ...keyPorts(data), ...options.keyMaker },
            log: options.log,
          }),
        ),
        TE.bind('engineMaker', () => loadEngineOf(config, options.log)),
        TE.flatMap(startListening(config, options, presence)(data)),
        TE.tapError(() => TE.fromTask(() => close(data))),
      ),
    ),
  )
}
