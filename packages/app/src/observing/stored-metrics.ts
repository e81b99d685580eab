// What a scrape reads of the store and of the keys. Clients are counted in steps with pauses, while requests are answered; a
// scrape gets the counts of the last complete pass. docs/decisions/observing.md.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import type { KeyDescription } from '@clientele/domain/keys'
import { type ClientState, type LifeCyclePolicy, clientStates, stateOf } from '@clientele/domain/life-cycle'
import type { AnnouncedRemovals } from '@clientele/domain/operations'
import type { Census, StoredCounts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'

type RegisteredState = Exclude<ClientState, 'gone'>

/** The counts, and the time at which their pass was complete. */
export type Counted = {
  readonly clients: Readonly<Record<RegisteredState, number>>
  readonly others: StoredCounts
  /** Undefined where these took too long: the others count all the same. */
  readonly removals: AnnouncedRemovals | undefined
  readonly at: EpochSeconds
}

type CensusOptions = {
  readonly census: Census
  readonly removals: TE.TaskEither<Unavailable, AnnouncedRemovals>
  readonly policy: LifeCyclePolicy
  readonly now: () => EpochSeconds
}

const perStep = 1_000
/** Milliseconds between two steps: a step takes about two. */
const betweenSteps = 20
/** The numbers that an index yields, but not without reading it. */
const maxOthers = 100_000
/** Seconds for which counts are good. */
const maxAge = 30
/** Milliseconds that a scrape waits for a pass: a small store is counted meanwhile. */
const patience = 500

const registeredStates = clientStates.filter((state): state is RegisteredState => state !== 'gone')

const pass = async ({ census, removals, policy, now }: CensusOptions): Promise<Counted | undefined> => {
  const clients = { unused: 0, active: 0, idle: 0, parked: 0, pending: 0, refused: 0, suspended: 0 }
  let after: number | undefined = 0
  while (after !== undefined) {
    const step: Awaited<ReturnType<ReturnType<Census['countClients']>>> = await census.countClients(after, perStep)()
    if (E.isLeft(step)) return undefined
    const at = now()
    for (const client of step.right.clients) {
      const state = stateOf(client, client.last_use, at, policy)
      if (state !== 'gone') clients[state] += 1
    }
    after = step.right.next
    if (after !== undefined) await pause(betweenSteps, undefined, { ref: false })
  }
  const others = await census.countOthers(now(), maxOthers)()
  const announced = await removals()
  if (E.isLeft(others)) return undefined
  return { clients, others: others.right, removals: E.isRight(announced) ? announced.right : undefined, at: now() }
}

/** Returns the latest counts, and begins a pass if they are old; without a scrape, nothing is counted. */
export const createCounting = (options: CensusOptions): (() => Promise<Counted | undefined>) => {
  const state: { last: Counted | undefined; running: Promise<void> | undefined } = {
    last: undefined,
    running: undefined,
  }
  const run = async (): Promise<void> => {
    const counted = await pass(options).catch(() => undefined)
    state.last = counted ?? state.last
    state.running = undefined
  }
  return async () => {
    const isOld = state.last === undefined || options.now() - state.last.at >= maxAge
    if (isOld) {
      state.running ??= run()
      await Promise.race([state.running, pause(patience, undefined, { ref: false })])
    }
    return state.last
  }
}

/** What a scrape reads. */
export type Watched = {
  readonly counted: () => Promise<Counted | undefined>
  readonly keys: () => ReadonlyArray<KeyDescription>
  readonly now: () => EpochSeconds
}

type MakeGauge = <Label extends string>(
  name: string,
  help: string,
  labelNames: Label[],
  aggregator?: 'max' | 'min',
) => Gauge<Label>

const storeGauges = (gauge: MakeGauge): ((counted: Counted, now: EpochSeconds) => void) => {
  const clients = gauge('clientele_clients', 'Registered clients, by state of their life cycle', ['state'])
  const at = gauge('clientele_counted_timestamp_seconds', 'When the clients and the other rows were counted', [])
  const tokens = gauge('clientele_initial_access_tokens', 'Initial access tokens in force, up to 100000', [])
  const sessions = gauge('clientele_end_user_sessions', 'Sessions of end-users, up to 100000', [])
  const removals = gauge(
    'clientele_announced_removals',
    'Clients that the service removes by itself unless they are used or approved, up to 100000, by the days until then',
    ['within'],
  )
  const first = gauge(
    'clientele_first_removal_timestamp_seconds',
    'The day of the first of these removals; 0 where there is none',
    [],
    'min',
  )
  const bytes = gauge('clientele_store_bytes', 'Octets of the store on disk', ['part'])
  const depth = gauge('clientele_logout_notifications', 'Stored logout notifications, by state', ['state'])
  const oldest = gauge('clientele_logout_notification_oldest_seconds', 'Age of the oldest logout notification', [])
  return ({ clients: byState, others, removals: announced, at: countedAt }, now) => {
    const { notifications, oldestNotification, size } = others
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
    for (const [part, octets] of Object.entries(size)) bytes.set({ part }, octets)
    depth.set({ state: 'waiting' }, notifications.waiting)
    depth.set({ state: 'failed' }, notifications.failed)
    oldest.set(oldestNotification === undefined ? 0 : Math.max(0, now - oldestNotification))
  }
}

const keyGauges = (gauge: MakeGauge): ((keys: ReadonlyArray<KeyDescription>, now: EpochSeconds) => void) => {
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

/** Sets the gauges by what is read now. */
export const createStoredMetrics = (registry: Registry): ((watched: Watched) => Promise<void>) => {
  // Workers have one store, so that the numbers of one of them are those of all.
  const gauge: MakeGauge = (name, help, labelNames, aggregator = 'max') =>
    new Gauge({ name, help, labelNames, aggregator, registers: [registry] })
  const setCounted = storeGauges(gauge)
  const setKeys = keyGauges(gauge)
  return async ({ counted, keys, now }) => {
    setKeys(keys(), now())
    const latest = await counted()
    if (latest !== undefined) setCounted(latest, now())
  }
}
