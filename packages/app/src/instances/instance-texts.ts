// What operators read about instances.
import { type InstanceRefusal, type SettingDifference, maxUnseen } from '@clientele/domain'

const counted = (ids: ReadonlyArray<string>): string =>
  `${ids.length} running ${ids.length === 1 ? 'instance' : 'instances'} (${ids.join(', ')})`

const killed = `an instance that was killed counts as running for ${maxUnseen} seconds`

/** Why keys of this process do not fit those of running instances. */
export const refusalText = ({ error, ids }: InstanceRefusal): string =>
  error === 'others_cannot_open'
    ? `${counted(ids)} cannot open what this one would seal: add the first encryption-key of this one to theirs, ` +
      `behind their own, and restart them first; ${killed}`
    : `this one cannot open what ${counted(ids)} would seal: add their first encryption-key to those of this one, ` +
      `behind its own; ${killed}`

/** The difference of the clocks, in milliseconds. */
export const clockText = (difference: number): string =>
  `the clock of this machine is ${(Math.abs(difference) / 1000).toFixed(1)} seconds ` +
  `${difference > 0 ? 'ahead of' : 'behind'} that of the database: synchronize both by NTP`

/** The names of the settings, without values. */
export const differencesText = (differences: ReadonlyArray<SettingDifference>): string =>
  `${differences.map(({ setting, ids }) => `${setting} differs from ${ids.join(', ')}`).join('; ')}: ` +
  'give all instances the same values'
