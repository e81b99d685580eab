// Takes over changed settings while the service runs: all that can be, or nothing where one of them is faulty.
import { type HttpPorts, type PageRenderer, type Reloaded, createPageRenderer } from '@clientele/adapters-http'
import { type InvalidSettings, type Unavailable, invalidSettings, jsonInOrder } from '@clientele/domain/kernel'
import { auditedBy, writeAudited } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import { serviceOf } from '../config/pages.js'
import { describeConfigFault, faultsAcross } from '../config/rules.js'
import { type Config, type SettingName, settingNames } from '../config/settings.js'
import { readMasterTokens } from '../data/first-run.js'
import type { MasterTokenHashes, OpenedData } from '../data/open-data.js'
import type { Live, LiveListeners } from '../server/listening.js'
import { playgroundDocuments } from '../server/playground.js'
import type { Log } from '../observing/log.js'
import type { Presence } from './presence.js'

/** The settings that are read anew; theme-dir with the files in it, the master tokens with those in data-dir. */
const reloadable = ['master-token', 'previous-master-token', 'registration-policy', 'theme-dir'] as const

const isReloadable = (name: SettingName): boolean => reloadable.some((each) => each === name)

/** Reads the settings again, from where they came; or all of their faults. */
export type ReadConfig = () => E.Either<ReadonlyArray<string>, Config>

type Reload = () => E.Either<InvalidSettings, Reloaded>

const prepare = (config: Config, masterTokens: MasterTokenHashes): E.Either<string, Live> =>
  pipe(
    E.Do,
    E.bind('documents', () => playgroundDocuments(config)),
    E.bind('renderPage', () =>
      pipe(
        createPageRenderer({ directory: config['theme-dir'], service: serviceOf(config) }),
        E.mapLeft(({ file, description }) => `theme-dir: ${file} ${description}`),
      ),
    ),
    E.map((made) => ({ config, masterTokens, ...made })),
  )

const differs = (one: unknown, other: unknown): boolean => jsonInOrder(one ?? null) !== jsonInOrder(other ?? null)

/** The settings whose changes wait for a restart. */
const waitingOf = (present: Config, next: Config): ReadonlyArray<SettingName> =>
  settingNames.filter((name) => !isReloadable(name) && differs(present[name], next[name]))

const prepareAnew = (present: Config, next: Config, data: OpenedData): E.Either<ReadonlyArray<string>, Live> => {
  const config = { ...present, ...Object.fromEntries(reloadable.map((name) => [name, next[name]])) }
  // The rules hold in the settings as they are read: what breaks one here is a value that counts only after a restart.
  const waiting = waitingOf(present, next).join(', ')
  const faults = faultsAcross(config, [], () => `until a restart takes over ${waiting}`).map(describeConfigFault)
  if (faults.length > 0) return E.left(faults)
  return pipe(
    readMasterTokens(config),
    E.flatMap((tokens) => prepare(config, data.masterTokenHashes(tokens))),
    E.mapLeft((fault) => [fault]),
  )
}

const changes = (before: Live, after: Live, next: Config): Reloaded => ({
  reloaded: [
    ...(differs(before.masterTokens, after.masterTokens) ? ['master-token'] : []),
    ...(differs(before.config['registration-policy'], next['registration-policy']) ? ['registration-policy'] : []),
    ...(before.config['theme-dir'] === undefined && next['theme-dir'] === undefined ? [] : ['theme-dir']),
  ],
  waiting: waitingOf(before.config, next),
})

type ReloadByRequest = NonNullable<HttpPorts['reload']>

/** A reload of the settings is a change in the process: a row that names the changed settings follows it. */
const auditedReload =
  ({ operations }: OpenedData, reload: Reload): ReloadByRequest =>
  (operator, request) => {
    const row = auditedBy(operations, operator, request)
    return pipe(
      TE.fromIOEither<InvalidSettings | Unavailable, Reloaded>(reload),
      TE.tap(({ reloaded }) =>
        writeAudited(operations, row(operations.now(), 'settings_reloaded', { members: [...reloaded].sort() })),
      ),
    )
  }

export type ReloadingOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly presence: Pick<Presence, 'changed'>
  readonly log: Log
  readonly readConfig?: ReadConfig
  readonly reloadOthers?: (() => void) | undefined
}

export type Reloading = {
  /** What the listeners use that a reload replaces. */
  readonly live: LiveListeners
  /** Pages by the renderer that was set last. */
  readonly renderPage: PageRenderer
  /** Reloads all workers; none where the host has the settings, as the other. */
  readonly byRequest: ReloadByRequest | undefined
  /** Reloads this process by a signal, which only the operator of the machine sends. */
  readonly bySignal: ((isRecorded: boolean) => void) | undefined
}

const createLiveListeners = (initial: Live): LiveListeners => {
  const state = { live: initial }
  const serveAnew: Array<() => void> = []
  return {
    present: () => state.live,
    serveBy: (serve, make) => {
      serve(make(state.live))
      serveAnew.push(() => serve(make(state.live)))
    },
    takeOver: (live) => {
      state.live = live
      for (const serve of serveAnew) serve()
    },
  }
}

export const createReloading = (options: ReloadingOptions): E.Either<string, Reloading> => {
  const { config, data, presence, log, readConfig, reloadOthers } = options
  return pipe(
    prepare(config, data.masterTokenHashes(data)),
    E.map((first) => {
      const live = createLiveListeners(first)
      const renderPage: PageRenderer = (page, language) => live.present().renderPage(page, language)
      if (readConfig === undefined) return { live, renderPage, byRequest: undefined, bySignal: undefined }
      const reload: Reload = () =>
        pipe(
          readConfig(),
          E.bindTo('next'),
          E.bind('after', ({ next }) => prepareAnew(live.present().config, next, data)),
          E.map(({ next, after }) => {
            const outcome = changes(live.present(), after, next)
            live.takeOver(after)
            presence.changed(after)
            log.info(outcome, 'the settings were read again; changes of those that wait need a restart')
            return outcome
          }),
          E.mapLeft((faults) => {
            log.error({ faults }, 'the settings were not reloaded: nothing has changed')
            return invalidSettings(faults)
          }),
        )
      const reloadAll: Reload = () =>
        pipe(
          reload(),
          E.tap(() => E.right(reloadOthers?.())),
        )
      return {
        live,
        renderPage,
        byRequest: auditedReload(data, reloadAll),
        bySignal: (isRecorded) => {
          if (!isRecorded) return void reload()
          const origin = { door: 'command', request_id: randomUUID() } as const
          void auditedReload(data, reload)(data.operator, { origin })().then((outcome) => {
            if (E.isLeft(outcome) && outcome.left.error === 'unavailable')
              log.error({ detail: outcome.left.detail }, 'the reload of the settings is not in the audit log')
          })
        },
      }
    }),
  )
}
