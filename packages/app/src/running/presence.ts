// This instance among the others on its database: announced before it seals anything, again every few seconds, and
// withdrawn when it stops. On a store of one process, nothing is announced.
import type { HealthReport } from '@clientele/adapters-http'
import {
  type Instance,
  type InstanceRefusal,
  type SettingDifference,
  announcementInterval,
  maxUnseen,
  permitKeys,
} from '@clientele/domain/instances'
import { type Unavailable, clockDifference, decideClock, epochSeconds, jsonInOrder } from '@clientele/domain/kernel'
import type { Instances, StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { createHmac, randomUUID } from 'node:crypto'
import { type Config, sharedSettings } from '../config/settings.js'
import { fingerprintsOf } from '../data/encryption-keys.js'
import type { Admit, MasterTokenHashes, SharedSecrets } from '../data/open-data.js'
import type { Log } from '../observing/log.js'
import { version } from '../observing/version.js'
import { createRepeatedPasses } from './passes.js'

const runningText = (ids: ReadonlyArray<string>): string =>
  `${ids.length} running ${ids.length === 1 ? 'instance' : 'instances'} (${ids.join(', ')})`

const killed = `an instance that was killed counts as running for ${maxUnseen} seconds`

/** Why this process may not run: the schema of the database, or keys that do not fit those of running instances. */
const refusalText = (refusal: InstanceRefusal): string => {
  if (refusal.error === 'excluded_by_schema')
    return (
      `the database was migrated to schema ${refusal.schema}, which excludes this version: it writes nothing any more; ` +
      'stop it, and start the version that migrated'
    )
  const others = runningText(refusal.ids)
  return refusal.error === 'others_cannot_open'
    ? `${others} cannot open what this one would seal: add the first encryption-key of this one to theirs, ` +
        `behind their own, and restart them first; ${killed}`
    : `this one cannot open what ${others} would seal: add their first encryption-key to those of this one, ` +
        `behind its own; ${killed}`
}

/** The difference of the clocks, in milliseconds. */
const clockText = (difference: number): string =>
  `the clock of this machine is ${(Math.abs(difference) / 1000).toFixed(1)} seconds ` +
  `${difference > 0 ? 'ahead of' : 'behind'} that of the database: synchronize both by NTP`

/** The names of the settings, without values. */
const differencesText = (differences: ReadonlyArray<SettingDifference>): string =>
  `${differences.map(({ setting, ids }) => `${setting} differs from ${ids.join(', ')}`).join('; ')}: ` +
  'give all instances the same values'

/** The refusal to open a store beside its running instances. */
const instanceStoreRefusal = (failure: InstanceRefusal | Unavailable): StoreRefusal =>
  failure.error === 'unavailable'
    ? { refusal: 'unusable', message: 'the instances in the database cannot be read or written now: try again' }
    : {
        refusal: failure.error === 'excluded_by_schema' ? 'newer-schema' : 'other-instances',
        message: refusalText(failure),
      }

/** A command seals, but announces nothing: it ends soon. */
export const permitCommand: Admit = ({ listInstances }, secrets) =>
  pipe(
    listInstances,
    TE.flatMapEither((running) => permitKeys(fingerprintsOf(secrets.encryptionKeys), running)),
    TE.mapLeft(instanceStoreRefusal),
  )

/** By name, the digest of each shared setting. It is keyed, so that the database does not reveal the values. */
export const settingDigests = (config: Config, secrets: SharedSecrets): Readonly<Record<string, string>> => {
  // The token and its SHA-256 are the same setting.
  const [current, previous] = secrets.masterTokens
  const values = { ...config, 'master-token': current, 'previous-master-token': previous }
  const digestOf = (text: string): string => createHmac('sha256', secrets.digestKey).update(text).digest('base64url')
  return Object.fromEntries(
    sharedSettings.map((name) => [name, digestOf(`setting ${name} ${jsonInOrder(values[name])}`)]),
  )
}

/** What announcements show: the difference of the clocks in milliseconds, and the settings that differ. */
export type Observed = {
  readonly clock: number
  readonly differences: ReadonlyArray<SettingDifference>
  /** Why an instance that was not seen for a time may not run any more. */
  readonly refusal?: InstanceRefusal
}

type Announcer = {
  readonly announce: TE.TaskEither<InstanceRefusal | Unavailable, Observed>
  readonly withdraw: TE.TaskEither<Unavailable, void>
}

const createAnnouncer = ({ announceInstance, withdrawInstance }: Instances, instance: Instance): Announcer => ({
  announce: async () => {
    const before = Date.now()
    const announced = await announceInstance(instance)()
    const after = Date.now()
    return pipe(
      announced,
      E.map(({ announced_at, differences }) => ({
        clock: clockDifference({ before, store: announced_at, after }),
        differences,
      })),
    )
  },
  withdraw: withdrawInstance(instance.id),
})

/** What readiness reports: why the instance is not ready, and settings that differ. */
export const healthReports = ({ clock, differences, refusal }: Observed): ReadonlyArray<HealthReport> => [
  ...(refusal === undefined
    ? []
    : [
        {
          name: refusal.error === 'excluded_by_schema' ? 'schema' : 'encryption-key',
          status: 'failed',
          detail: refusalText(refusal),
        } as const,
      ]),
  ...(decideClock(clock) === 'refused' ? [{ name: 'clock', status: 'failed', detail: clockText(clock) } as const] : []),
  ...(differences.length === 0
    ? []
    : [{ name: 'settings', status: 'ok', detail: differencesText(differences) } as const]),
]

/** Warnings for the log by their causes: a warning is logged again when it has another cause. */
const warnings = (observed: Observed): ReadonlyMap<string, string> => {
  const others = healthReports(observed).filter(({ name }) => name !== 'clock')
  const verdict = decideClock(observed.clock)
  return new Map([
    ...others.map(({ detail }): [string, string] => [detail, detail]),
    ...(verdict === 'agrees' ? [] : [[verdict, clockText(observed.clock)] as const]),
  ])
}

/** The warnings of an announcement that the one before did not have. */
export const newWarnings = (before: Observed, after: Observed): ReadonlyArray<string> =>
  [...warnings(after)].filter(([cause]) => !warnings(before).has(cause)).map(([, text]) => text)

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

const wrongClock = ({ clock }: Observed): StoreRefusal => ({
  refusal: 'unusable',
  message: `${clockText(clock)}, then start again`,
})

type State = {
  /** Makes the announcer of other settings. */
  announcerOf: ((config: Config, masterTokens: MasterTokenHashes) => Announcer) | undefined
  announcer: Announcer | undefined
  observed: Observed
  onClock: (seconds: number) => void
}

const announceEvery = announcementInterval * 1000

/** Nothing is announced before `admit` is called. */
export const createPresence = (config: Config, log: Log): Presence => {
  const identity = { id: randomUUID(), version, started_at: epochSeconds(Date.now()) }
  const state: State = {
    announcerOf: undefined,
    announcer: undefined,
    observed: { clock: 0, differences: [] },
    onClock: () => undefined,
  }
  const observe = (observed: Observed): void => {
    newWarnings(state.observed, observed).forEach((text) => log.warn({}, text))
    state.observed = observed
    state.onClock(Math.abs(observed.clock) / 1000)
  }
  // A database that does not answer is reported by its own check.
  const announceAgain = async (): Promise<void> => {
    const announced = await state.announcer?.announce()
    if (announced === undefined) return
    if (E.isRight(announced)) observe(announced.right)
    else if (announced.left.error !== 'unavailable') observe({ ...state.observed, refusal: announced.left })
  }
  const announcements = createRepeatedPasses(announceEvery, () => announceAgain().then(() => announceEvery))
  return {
    admit: (instances, secrets) => {
      state.announcerOf = (present, masterTokens) => {
        const settings = settingDigests(present, { ...secrets, masterTokens })
        return createAnnouncer(instances, { ...identity, ...fingerprintsOf(secrets.encryptionKeys), settings })
      }
      state.announcer = state.announcerOf(config, secrets.masterTokens)
      return pipe(
        state.announcer.announce,
        TE.mapLeft(instanceStoreRefusal),
        TE.filterOrElse(({ clock }) => decideClock(clock) !== 'refused', wrongClock),
        TE.map(observe),
        TE.tapIO(() => announcements.start),
      )
    },
    begin: (onClock) => {
      if (state.announcer === undefined) return
      log.info({ instance: identity.id }, 'this instance runs beside those that clientele instances list shows')
      state.onClock = onClock
      observe(state.observed)
    },
    changed: (live) => {
      state.announcer = state.announcerOf?.(live.config, live.masterTokens)
    },
    reports: () => healthReports(state.observed),
    stop: async () => {
      // After the withdrawal, no announcement may come.
      await announcements.stop()
      await state.announcer?.withdraw()
    },
  }
}
