// This instance among the others on its database: announced before it seals anything, again every few seconds, and
// withdrawn when it stops. On a store of one process, nothing is announced.
import type { HealthReport } from '@clientele/adapters-http'
import { announcementInterval } from '@clientele/domain/instances'
import { decideClock, epochSeconds } from '@clientele/domain/kernel'
import type { StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { randomUUID } from 'node:crypto'
import type { Config } from '../config/settings.js'
import { version } from '../config/version.js'
import type { Admit, MasterTokenHashes } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import { type Announcer, type Observed, createAnnouncer } from './announcer.js'
import { clockText } from './instance-texts.js'
import { ownKeys } from './own-keys.js'
import { instanceStoreRefusal } from './permit-command.js'
import { healthReports, newWarnings } from './reports.js'
import { settingDigests } from './shared-settings.js'

export type Presence = {
  /** Announces this instance, now and every few seconds, or refuses its start; then `stop` takes back the announcement. */
  readonly admit: Admit
  /** From now on, the seconds by which the clocks differ are passed on. */
  readonly begin: (onClock: (seconds: number) => void) => void
  /** Announces other values of shared settings from now on. */
  readonly changed: (live: { readonly config: Config; readonly masterTokens: MasterTokenHashes }) => void
  readonly reports: () => ReadonlyArray<HealthReport>
  /** Ends the announcements, and removes this instance from those that run. */
  readonly stop: () => Promise<void>
}

type State = {
  /** Makes the announcer of other settings. */
  announcerOf: ((config: Config, masterTokens: MasterTokenHashes) => Announcer) | undefined
  announcer: Announcer | undefined
  observed: Observed
  onClock: (seconds: number) => void
  timer: NodeJS.Timeout | undefined
  /** Settles at the end of the last announcement, when the next one has been set. */
  announcing: Promise<unknown>
}

const nothingObserved: Observed = { clock: 0, differences: [] }

const observe = (log: Log, state: State, observed: Observed): void => {
  newWarnings(state.observed, observed).forEach((text) => log.warn({}, text))
  state.observed = observed
  state.onClock(Math.abs(observed.clock) / 1000)
}

const wrongClock = ({ clock }: Observed): StoreRefusal => ({
  refusal: 'unusable',
  message: `${clockText(clock)}, then start again`,
})

// A database that does not answer is reported by its own check.
const announceAgain = async (log: Log, state: State, announcer: Announcer): Promise<void> => {
  const announced = await (state.announcer ?? announcer).announce()
  if (E.isRight(announced)) observe(log, state, announced.right)
  else if (announced.left.error !== 'unavailable') observe(log, state, { ...state.observed, refusal: announced.left })
}

const repeat = (log: Log, state: State, announcer: Announcer): void => {
  state.timer = setTimeout(() => {
    state.announcing = announceAgain(log, state, announcer).then(() => repeat(log, state, announcer))
  }, announcementInterval * 1000).unref()
}

const announceFirst = (log: Log, state: State, announcer: Announcer): ReturnType<Admit> =>
  pipe(
    announcer.announce,
    TE.mapLeft(instanceStoreRefusal),
    TE.filterOrElse(({ clock }) => decideClock(clock) !== 'refused', wrongClock),
    TE.map((observed) => observe(log, state, observed)),
    TE.tapIO(() => () => repeat(log, state, announcer)),
  )

/** Nothing is announced before `admit` is called. */
export const createPresence = (config: Config, log: Log): Presence => {
  const identity = { id: randomUUID(), version, started_at: epochSeconds(Date.now()) }
  const state: State = {
    announcerOf: undefined,
    announcer: undefined,
    observed: nothingObserved,
    onClock: () => undefined,
    timer: undefined,
    announcing: Promise.resolve(),
  }
  return {
    admit: (instances, secrets) => {
      const announcerOf: State['announcerOf'] = (changed, masterTokens) => {
        const settings = settingDigests(changed, { ...secrets, masterTokens })
        return createAnnouncer(instances, { ...identity, ...ownKeys(secrets), settings })
      }
      const announcer = announcerOf(config, secrets.masterTokens)
      Object.assign(state, { announcerOf, announcer })
      return announceFirst(log, state, announcer)
    },
    begin: (onClock) => {
      if (state.announcer === undefined) return
      log.info({ instance: identity.id }, 'this instance runs beside those that clientele instances list shows')
      state.onClock = onClock
      observe(log, state, state.observed)
    },
    changed: (live) => {
      state.announcer = state.announcerOf?.(live.config, live.masterTokens)
    },
    reports: () => healthReports(state.observed),
    stop: async () => {
      // An announcement that runs sets the timer when it ends; after the withdrawal, none may come.
      await state.announcing
      clearTimeout(state.timer)
      await state.announcer?.withdraw()
    },
  }
}
