// The whole service from its settings: opened, listening, and stopped: requests first, the store last.
import type { KeyRotationScheduler } from '@clientele/adapters-jose'
import type { HostLogin } from '@clientele/adapters-login'
import type { EngineMaker } from '@clientele/adapters-oidc-provider'
import type { OutboundOptions } from '@clientele/adapters-outbound'
import { inspectDatabase } from '@clientele/adapters-sqlite'
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { EndUserLogin, KeyMaker, StoreOpener } from '@clientele/domain/ports'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { RequestListener } from 'node:http'
import { keySettings } from './config/keys.js'
import { hostWarning } from './config/rules.js'
import type { Config } from './config/settings.js'
import type { FirstRun } from './data/first-run.js'
import { type OpenedData, refuseLostKeys, openData } from './data/open-data.js'
import { httpPorts, watchedIn } from './http-ports.js'
import { type Listeners, closeListeners, openPublicPort, serveOn } from './server/listening.js'
import { type Presence, createPresence } from './running/presence.js'
import { keyPorts, startKeyRotation } from './running/key-rotation.js'
import { type DevelopmentStart, prepareLogin, requireLogin } from './engine/login.js'
import type { Log } from './observing/log.js'
import { type Metrics, createMetrics } from './observing/metrics.js'
import { createRefusalObserver } from './observing/refusals.js'
import { createPeers } from './server/peers.js'
import { loadEngineOf, provide } from './engine/engine.js'
import type { Provider } from './engine/provider.js'
import { createBackground } from './running/background.js'
import { serviceDispatcher } from './running/logout-dispatcher.js'
import { createSecretUseObserver } from './running/secret-uses.js'
import { type ReadConfig, type Reloading, createReloading } from './running/reload.js'

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

type Ready = {
  readonly data: OpenedData
  readonly reloading: Reloading
  readonly accounts: DevelopmentStart | undefined
  readonly rotation: KeyRotationScheduler
  readonly engineMaker: EngineMaker | undefined
}

/** What the service consists of, and how it ends. */
const startParts =
  (config: Config, options: ServiceOptions, metrics: Metrics, presence: Presence) =>
  ({ data, reloading, accounts, rotation, engineMaker }: Ready): TE.TaskEither<string, Service> => {
    const { log, outbound, mount, login: host } = options
    const exposed = mount === undefined ? hostWarning(config, accounts !== undefined) : undefined
    if (exposed !== undefined)
      log.warn({ setting: exposed.setting, remedy: exposed.remedy }, `the setting host ${exposed.rule}`)
    const { live, renderPage, byRequest: reload, bySignal } = reloading
    const state = { draining: false }
    const isDraining = (): boolean => state.draining
    const peers = createPeers(config['trusted-proxies'])
    const refusals = createRefusalObserver(data.generator.now)
    const secretUses = createSecretUseObserver(data.generator.now, data.hashToken)
    const made = { refusals, secretUses, metrics }
    const parts = { config, data, ...made, rotation, log, outbound, mount, live, renderPage, isDraining }
    const dispatcher = serviceDispatcher(parts)
    const background = createBackground(parts)
    const routes = { ...parts, peers, dispatcher, reload, reports: presence.reports }
    const start = { ...parts, sources: peers.sources, ports: httpPorts(routes) }
    return pipe(
      openPublicPort(start),
      TE.bindTo('port'),
      // No request comes before all is served: what follows waits for nothing.
      TE.let('provided', ({ port }) => provide({ ...start, host, engineMaker, issuer: port.baseUrl })),
      TE.bind('listening', ({ port, provided }) => serveOn(start, port, provided)),
      TE.tapError(() => TE.fromTask(rotation.stop)),
      TE.map(({ provided: { provider, login }, listening: { servers, ...listening } }) => {
        dispatcher.start(provider.signToken)
        background.start()
        presence.begin(metrics.setClockDifference)
        metrics.watch(watchedIn(parts))
        return {
          ...listening,
          firstRun: { files: data.files, database: data.database, made: data.made, found: data.found },
          keys: rotation,
          provider,
          login,
          accounts,
          reload: bySignal,
          stop: async () => {
            state.draining = true
            await Promise.all([closeListeners(servers), dispatcher.stop()])
            await background.stop()
            await Promise.all([rotation.stop(), presence.stop()])
            await data.store.close()
          },
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
export const compose = (config: Config, options: ServiceOptions): TE.TaskEither<string, Service> => {
  const { log, metrics = createMetrics() } = options
  const presence = createPresence(config, log)
  const { admit, stop: withdraw } = presence
  return pipe(
    TE.fromEither(requireLogin(config, options.login)),
    TE.flatMap(() =>
      pipe(
        openData(config, { ...options, onCommit: metrics.commit, admit, withdraw, expectExisting: false }),
        TE.mapLeft(({ message }) => message),
      ),
    ),
    TE.tapTask((data) => warnOfSchema(data, log)),
    TE.flatMap((data) =>
      pipe(
        TE.Do,
        TE.let('data', () => data),
        TE.bind('reloading', () => TE.fromEither(createReloading({ ...options, config, data, presence }))),
        TE.tap(() => refuseLostKeys(data)),
        TE.bind('accounts', () => prepareLogin(config, options.login)),
        TE.bind('rotation', () => {
          const ports = { ...keyPorts(data), ...options.keyMaker }
          return startKeyRotation({ settings: keySettings(config), ports, log })
        }),
        // From here on, a failure stops the schedule of the keys as well. The engine may warn of the runtime when it is
        // loaded: a start that refuses the keys says one line.
        TE.bind('engineMaker', ({ rotation }) =>
          pipe(
            loadEngineOf(config, log),
            TE.tapError(() => TE.fromTask(rotation.stop)),
          ),
        ),
        TE.flatMap(startParts(config, options, metrics, presence)),
        TE.tapError(() => TE.fromTask(() => withdraw().then(() => data.store.close()))),
      ),
    ),
  )
}
