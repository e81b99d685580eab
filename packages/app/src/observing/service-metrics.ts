// What the service counts of itself, and what a scrape reads of the store and of the keys. docs/observing.md lists all.
import type { EpochSeconds } from '@clientele/domain/kernel'
import type { KeyDescription } from '@clientele/domain/keys'
import type { Door } from '@clientele/domain/life-cycle'
import type { Commit } from '@clientele/domain/ports'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Counted, registeredStates } from './census.js'
import { type ObservedRequest, countingCredentials, errorLabel, ruleLabel } from './refusal-labels.js'

/** What a scrape reads. */
export type Watched = {
  readonly counted: () => Promise<Counted | undefined>
  readonly keys: () => ReadonlyArray<KeyDescription>
  readonly now: () => EpochSeconds
}

export type ServiceMetrics = {
  readonly observe: (request: ObservedRequest) => void
  readonly commit: (commit: Commit) => void
  readonly refresh: (watched: Watched) => Promise<void>
}

export type { ObservedRequest } from './refusal-labels.js'

type Make = {
  readonly counter: <Label extends string>(
    name: string,
    help: string,
    labelNames: ReadonlyArray<Label>,
  ) => Counter<Label>
  readonly gauge: <Label extends string>(
    name: string,
    help: string,
    labelNames: ReadonlyArray<Label>,
    aggregator?: 'max' | 'min',
  ) => Gauge<Label>
  readonly histogram: (name: string, help: string, buckets: ReadonlyArray<number>) => Histogram
}

// Workers have one store, so that the numbers of one of them are those of all.
const makersIn = (registry: Registry): Make => {
  const registers = [registry]
  return {
    counter: (name, help, labelNames) => new Counter({ name, help, labelNames: [...labelNames], registers }),
    gauge: (name, help, labelNames, aggregator = 'max') =>
      new Gauge({ name, help, labelNames: [...labelNames], aggregator, registers }),
    histogram: (name, help, buckets) => new Histogram({ name, help, buckets: [...buckets], registers }),
  }
}

/** Where a request came in, as a label with few values. */
type MetricDoor = Door | 'management' | 'none'

const endpoints: ReadonlyArray<readonly [RegExp, MetricDoor]> = [
  [/\/manage\/v1\//, 'management'],
  [/\/clients\/:id$/, 'configuration'],
  [/\/authorize(?:\/:id)?$/, 'authorize'],
  [/\/(?:token|userinfo|introspect|revoke|par)$/, 'token'],
  [/\/logout(?:\/confirm)?$/, 'logout'],
]

/** The door of a route, which is a pattern and ends with the path below the base URL. */
export const doorOf = (method: string, route: string): MetricDoor => {
  if (route === '(none)') return 'none'
  if (method === 'POST' && route.endsWith('/clients')) return 'registration'
  return endpoints.find(([pattern]) => pattern.test(route))?.[1] ?? 'management'
}

const registrants = {
  initial_access_token: 'initial_access_token',
  master: 'operator',
  operator_token: 'operator',
  store: 'operator',
  none: 'anonymous',
} as const

type Registrants = Readonly<Record<string, (typeof registrants)[keyof typeof registrants]>>

const counting = ({ counter }: Make): ServiceMetrics['observe'] => {
  const registrations = counter('clientele_registrations_total', 'Registered clients, by their registrant', ['by'])
  const refusals = counter('clientele_refusals_total', 'Refused requests, by door and error code', ['door', 'error'])
  const rules = counter('clientele_refused_rules_total', 'Refused bodies, by door and violated rule', ['door', 'rule'])
  const countCredential = countingCredentials(counter)
  const issued = counter(
    'clientele_initial_access_tokens_issued_total',
    'Initial access tokens issued by operators',
    [],
  )
  const consumed = counter(
    'clientele_initial_access_tokens_consumed_total',
    'Initial access tokens that registered a client',
    [],
  )
  const refuse = (door: string, error: string, violated: ReadonlyArray<string>): void => {
    refusals.inc({ door, error: errorLabel(error) })
    for (const rule of violated) rules.inc({ door, rule: ruleLabel(rule) })
  }
  const register = (kind: string): void => {
    const byKind: Registrants = registrants
    registrations.inc({ by: byKind[kind] ?? 'anonymous' })
    if (kind === 'initial_access_token') consumed.inc()
  }
  // A dry run has no client_id.
  const succeed = (door: MetricDoor, { method, route, client_id, actor }: ObservedRequest): void => {
    if (door === 'registration' && client_id !== undefined) register(actor?.kind ?? 'none')
    if (method === 'POST' && route.endsWith('/direct-authz')) issued.inc()
  }
  return (request) => {
    const { method, route, error, rules: violated = [] } = request
    const door = doorOf(method, route)
    if (error === undefined) succeed(door, request)
    else {
      refuse(door, error, violated)
      countCredential(request)
    }
  }
}

const clientGauges = ({ gauge }: Make): ((counted: Counted) => void) => {
  const clients = gauge('clientele_clients', 'Registered clients, by state of their life cycle', ['state'])
  const at = gauge('clientele_counted_timestamp_seconds', 'When the clients and the other rows were counted', [])
  const tokens = gauge('clientele_initial_access_tokens', 'Initial access tokens in force, up to 100000', [])
  const sessions = gauge('clientele_end_user_sessions', 'Sessions of end-users, up to 100000', [])
  const removals = gauge(
    'clientele_announced_removals',
    'Parked clients that the service removes by itself unless they are used, up to 100000, by the days until then',
    ['within'],
  )
  const first = gauge(
    'clientele_first_removal_timestamp_seconds',
    'The day of the first of these removals; 0 where there is none',
    [],
    'min',
  )
  const bytes = gauge('clientele_store_bytes', 'Octets of the store on disk', ['part'])
  return ({ clients: byState, others, removals: announced, at: countedAt }) => {
    for (const state of registeredStates) clients.set({ state }, byState[state])
    at.set(countedAt)
    tokens.set(others.initialAccessTokens)
    sessions.set(others.endUserSessions)
    if (announced !== undefined) {
      removals.set({ within: 'day' }, announced.within_a_day)
      removals.set({ within: 'week' }, announced.within_a_week)
      removals.set({ within: 'notice' }, announced.clients)
      first.set(announced.first_at ?? 0)
    }
    for (const [part, octets] of Object.entries(others.size)) bytes.set({ part }, octets)
  }
}

const notificationGauges = ({ gauge }: Make): ((counted: Counted, now: EpochSeconds) => void) => {
  const depth = gauge('clientele_logout_notifications', 'Stored logout notifications, by state', ['state'])
  const oldest = gauge('clientele_logout_notification_oldest_seconds', 'Age of the oldest logout notification', [])
  return ({ others: { notifications, oldestNotification } }, now) => {
    depth.set({ state: 'waiting' }, notifications.waiting)
    depth.set({ state: 'failed' }, notifications.failed)
    oldest.set(oldestNotification === undefined ? 0 : Math.max(0, now - oldestNotification))
  }
}

const keyGauges = ({ gauge }: Make): ((keys: ReadonlyArray<KeyDescription>, now: EpochSeconds) => void) => {
  const count = gauge('clientele_keys', 'Keys of the key set, by ring and phase', ['alg', 'use', 'phase'])
  const change = gauge(
    'clientele_key_next_change_seconds',
    'Seconds to the next change of the keys of a ring and phase; negative when it is late',
    ['alg', 'use', 'phase', 'next'],
    'min',
  )
  return (keys, now) => {
    count.reset()
    change.reset()
    const soonest = new Map<string, number>()
    for (const { alg, use, phase, next, next_at } of keys) {
      count.inc({ alg, use, phase })
      const name = `${alg} ${use} ${phase} ${next}`
      const seconds = Math.min(soonest.get(name) ?? Infinity, next_at - now)
      soonest.set(name, seconds)
      change.set({ alg, use, phase, next }, seconds)
    }
  }
}

const commits = ({ histogram }: Make): ServiceMetrics['commit'] => {
  const writes = histogram(
    'clientele_commit_writes',
    'Writes that share a commit',
    [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
  )
  const seconds = histogram(
    'clientele_commit_duration_seconds',
    'Seconds of a commit, with its synchronization to the disk',
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1],
  )
  return (commit) => {
    writes.observe(commit.writes)
    seconds.observe(commit.seconds)
  }
}

export const createServiceMetrics = (registry: Registry): ServiceMetrics => {
  const make = makersIn(registry)
  const setClients = clientGauges(make)
  const setNotifications = notificationGauges(make)
  const setKeys = keyGauges(make)
  return {
    observe: counting(make),
    commit: commits(make),
    refresh: async ({ counted, keys, now }) => {
      setKeys(keys(), now())
      const latest = await counted()
      if (latest === undefined) return
      setClients(latest)
      setNotifications(latest, now())
    },
  }
}
