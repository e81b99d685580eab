// What readiness and the log report of announcements.
import type { HealthReport } from '@clientele/adapters-http'
import type { InstanceRefusal } from '@clientele/domain/instances'
import { decideClock } from '@clientele/domain/kernel'
import type { Observed } from './announcer.js'
import { clockText, differencesText, refusalText } from './instance-texts.js'

const nameOf = ({ error }: InstanceRefusal): string => (error === 'excluded_by_schema' ? 'schema' : 'encryption-key')

/** What readiness reports: why the instance is not ready, and settings that differ. */
export const healthReports = ({ clock, differences, refusal }: Observed): ReadonlyArray<HealthReport> => [
  ...(refusal === undefined
    ? []
    : [{ name: nameOf(refusal), status: 'failed', detail: refusalText(refusal) } as const]),
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
