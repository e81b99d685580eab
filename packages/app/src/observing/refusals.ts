// What the doors of clients refuse, observed in memory and written to the store in the background: a request waits for none of it,
// and what an instance observed since it last wrote is lost where it crashes. docs/operate/observe.md.
import type { HttpLogEntry } from '@clientele/adapters-http'
import { ClientId } from '@clientele/domain/client'
import type { EpochSeconds } from '@clientele/domain/kernel'
import {
  type CountedRefusals,
  type ObservedRefusals,
  type Refused,
  type RefusalGroup,
  type RefusalSender,
  groupOf,
  latestRefusals,
  otherSoftware,
  refusalSenders,
} from '@clientele/domain/managing'
import { type MetricDoor, labelsOf } from './metrics.js'

export type RefusalObserver = {
  readonly observe: (entry: HttpLogEntry, door: MetricDoor, software?: string) => void
  /** What was observed since the last call; undefined where nothing was. */
  readonly take: () => ObservedRefusals | undefined
}

/** Between two writes, so that the memory is bounded. */
const maxCounted = 500
const maxObserved = 200
const maxRules = 8

const senderOf = ({ actor }: HttpLogEntry): RefusalSender =>
  refusalSenders.find((sender) => sender === actor?.kind) ?? 'anonymous'

/** Undefined where a client was refused nothing: a failure of the service is in the log. */
const refusedBy = (entry: HttpLogEntry, door: MetricDoor, software: string, at: EpochSeconds): Refused | undefined => {
  if (entry.error === undefined || entry.status >= 500) return undefined
  if (door === 'management' || door === 'none') return undefined
  const { rules, error } = labelsOf(entry.error, entry.rules)
  const { client_id } = entry
  return {
    door,
    rule: rules[0] ?? error,
    sender: senderOf(entry),
    at,
    software,
    rules: rules.slice(0, maxRules),
    ...(ClientId.is(client_id) ? { client_id } : {}),
  }
}

export const createRefusalObserver = (now: () => EpochSeconds): RefusalObserver => {
  const counts = new Map<string, CountedRefusals>()
  const state: { refusals: Array<Refused> } = { refusals: [] }
  const count = (group: RefusalGroup, sent: string, at: EpochSeconds): void => {
    const keyOf = (software: string): string => `${groupOf(group)} ${software}`
    const software = counts.has(keyOf(sent)) || counts.size < maxCounted ? sent : otherSoftware
    const { times, first_at } = counts.get(keyOf(software)) ?? { times: 0, first_at: at }
    const { door, rule, sender } = group
    counts.set(keyOf(software), { door, rule, sender, software, times: times + 1, first_at, last_at: at })
  }
  return {
    observe: (entry, door, software = '') => {
      const refused = refusedBy(entry, door, software, now())
      if (refused === undefined) return
      for (const rule of refused.rules.length === 0 ? [refused.rule] : refused.rules)
        count({ ...refused, rule }, software, refused.at)
      state.refusals.push(refused)
      if (state.refusals.length > 2 * maxObserved) state.refusals = [...latestRefusals(state.refusals, maxObserved)]
    },
    take: () => {
      if (counts.size === 0) return undefined
      const taken = { counts: [...counts.values()], refusals: latestRefusals(state.refusals, maxObserved) }
      counts.clear()
      state.refusals = []
      return taken
    },
  }
}
