// Takes over changed settings while the service runs: all that can be, or nothing where one of them is faulty.
import { type PageRenderer, type Reloaded, createPageRenderer } from '@clientele/adapters-http'
import { type InvalidSettings, invalidSettings, jsonInOrder } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Config, type SettingName, settingNames } from './config/settings.js'
import { readMasterTokens } from './data/first-run.js'
import type { MasterTokenHashes, OpenedData } from './data/open-data.js'
import type { Presence } from './instances/presence.js'
import { type Live, type LiveListeners, createLiveListeners } from './server/listening.js'
import { playgroundDocuments } from './server/playground.js'
import type { Log } from './observing/log.js'
import { serviceOf } from './wiring/page-settings.js'

/** The settings that are read anew; theme-dir with the files in it, the master tokens with those in data-dir. */
const reloadable = ['master-token', 'previous-master-token', 'registration-policy', 'theme-dir'] as const

export type Reload = () => E.Either<InvalidSettings, Reloaded>

/** Reads the settings again, from where they came; or all of their faults. */
export type ReadConfig = () => E.Either<ReadonlyArray<string>, Config>

type Prepared = { readonly live: Live; readonly renderPage: PageRenderer }

const themedPages = (config: Config): E.Either<string, PageRenderer> =>
  pipe(
    createPageRenderer({ directory: config['theme-dir'], service: serviceOf(config) }),
    E.mapLeft(({ file, description }) => `theme-dir: ${file} ${description}`),
  )

const liveSettings = (config: Config, masterTokens: MasterTokenHashes): E.Either<string, Live> =>
  pipe(
    playgroundDocuments(config),
    E.map((documents) => ({ config, masterTokens, documents })),
  )

/** Pages by the renderer that was set last. */
const replaceablePages = (
  first: PageRenderer,
): { readonly renderPage: PageRenderer; readonly replace: (next: PageRenderer) => void } => {
  const current = { render: first }
  return {
    renderPage: (page, language) => current.render(page, language),
    replace: (next) => void (current.render = next),
  }
}

const withReloadable = (config: Config, next: Config): Config => ({
  ...config,
  ...Object.fromEntries(reloadable.map((name) => [name, next[name]])),
})

const prepare = (config: Config, { masterTokenHashes }: OpenedData): E.Either<ReadonlyArray<string>, Prepared> =>
  pipe(
    E.Do,
    E.bind('tokens', () => readMasterTokens(config)),
    E.bind('live', ({ tokens }) => liveSettings(config, masterTokenHashes(tokens))),
    E.bind('renderPage', () => themedPages(config)),
    E.mapLeft((fault) => [fault]),
  )

const isReloadable = (name: SettingName): boolean => reloadable.some((each) => each === name)

const differs = (one: unknown, other: unknown): boolean => jsonInOrder(one ?? null) !== jsonInOrder(other ?? null)

const changes = (before: Live, after: Live, next: Config): Reloaded => ({
  reloaded: [
    ...(differs(before.masterTokens, after.masterTokens) ? ['master-token'] : []),
    ...(differs(before.config['registration-policy'], next['registration-policy']) ? ['registration-policy'] : []),
    ...(before.config['theme-dir'] === undefined && next['theme-dir'] === undefined ? [] : ['theme-dir']),
  ],
  waiting: settingNames.filter((name) => !isReloadable(name) && differs(before.config[name], next[name])),
})

export type ReloadingOptions = {
  readonly config: Config
  readonly data: OpenedData
  readonly presence: Pick<Presence, 'changed'>
  readonly log: Log
  readonly readConfig?: ReadConfig
  readonly reloadOthers?: (() => void) | undefined
}

/** What the parts of the service use that a reload replaces. */
export type Reloading = {
  readonly live: LiveListeners
  readonly renderPage: PageRenderer
  /** None where the host has the settings. */
  readonly reload: Reload | undefined
  /** The same, of all workers. */
  readonly reloadAll: Reload | undefined
}

const reloadBy =
  (options: ReloadingOptions, first: Live, live: LiveListeners, replacePages: (next: PageRenderer) => void) =>
  (readConfig: ReadConfig): Reload => {
    const { data, presence, log } = options
    const state = { live: first }
    const takeOver = ({ live: next, renderPage }: Prepared): void => {
      replacePages(renderPage)
      live.takeOver(next)
      presence.changed(next)
      state.live = next
    }
    return () =>
      pipe(
        readConfig(),
        E.bindTo('next'),
        E.bind('prepared', ({ next }) => prepare(withReloadable(state.live.config, next), data)),
        E.map(({ next, prepared }) => {
          const outcome = changes(state.live, prepared.live, next)
          takeOver(prepared)
          log.info(outcome, 'the settings were read again; changes of those that wait need a restart')
          return outcome
        }),
        E.mapLeft((faults) => {
          log.error({ faults }, 'the settings were not reloaded: nothing has changed')
          return invalidSettings(faults)
        }),
      )
  }

export const createReloading = (options: ReloadingOptions): E.Either<string, Reloading> => {
  const { config, data, readConfig } = options
  return pipe(
    E.Do,
    E.bind('first', () => liveSettings(config, data.masterTokenHashes(data))),
    E.bind('pages', () => pipe(themedPages(config), E.map(replaceablePages))),
    E.map(({ first, pages: { renderPage, replace } }) => {
      const live = createLiveListeners(first)
      const reload = readConfig === undefined ? undefined : reloadBy(options, first, live, replace)(readConfig)
      const reloadAll =
        reload === undefined
          ? undefined
          : () =>
              pipe(
                reload(),
                E.tap(() => E.right(options.reloadOthers?.())),
              )
      return { live, renderPage, reload, reloadAll }
    }),
  )
}
