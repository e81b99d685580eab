// What operators read about instances.
import {
  type ExcludedBySchema,
  type InstanceRefusal,
  type KeysRefusal,
  type SettingDifference,
  maxUnseen,
} from '@clientele/domain/instances'

const counted = (ids: ReadonlyArray<string>): string =>
  `${ids.length} running ${ids.length === 1 ? 'instance' : 'instances'} (${ids.join(', ')})`

const killed = `an instance that was killed counts as running for ${maxUnseen} seconds`

const schemaText = ({ schema }: ExcludedBySchema): string =>
  `the database was migrated to schema ${schema}, which excludes this version: it writes nothing any more; ` +
  'stop it, and start the version that migrated'

/** Why keys of this process do not fit those of running instances. */
const keysText = ({ error, ids }: KeysRefusal): string =>
  error === 'others_cannot_open'
    ? `${counted(ids)} cannot open what this one would seal: add the first encryption-key of this one to theirs, ` +
      `behind their own, and restart them first; ${killed}`
    : `this one cannot open what ${counted(ids)} would seal: add their first encryption-key to those of this one, ` +
      `behind its own; ${killed}`

/** Why this process may not run. */
export const refusalText = (refusal: InstanceRefusal): string =>
  refusal.error === 'excluded_by_schema' ? schemaText(refusal) : keysText(refusal)

/** The difference of the clocks, in milliseconds. */
export const clockText = (difference: number): string =>
  `the clock of this machine is ${(Math.abs(difference) / 1000).toFixed(1)} seconds ` +
  `${difference > 0 ? 'ahead of' : 'behind'} that of the database: synchronize both by NTP`

/** The names of the settings, without values. */
export const differencesText = (differences: ReadonlyArray<SettingDifference>): string =>
  `${differences.map(({ setting, ids }) => `${setting} differs from ${ids.join(', ')}`).join('; ')}: ` +
  'give all instances the same values'
