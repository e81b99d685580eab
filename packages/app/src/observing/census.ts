// The clients of the store by state, and other counts, for metrics. Clients are counted in steps with pauses, while
// requests are answered; a scrape gets the counts of the last complete pass. docs/decisions/0128.
import type { EpochSeconds, Unavailable } from '@clientele/domain/kernel'
import { type ClientState, type LifeCyclePolicy, clientStates, stateOf } from '@clientele/domain/life-cycle'
import type { AnnouncedRemovals } from '@clientele/domain/operations'
import type { Census, StoredCounts } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout as pause } from 'node:timers/promises'

export type RegisteredState = Exclude<ClientState, 'gone'>

/** The counts, and the time at which their pass was complete. */
export type Counted = {
  readonly clients: Readonly<Record<RegisteredState, number>>
  readonly others: StoredCounts
  /** Undefined where these took too long: the others count all the same. */
  readonly removals: AnnouncedRemovals | undefined
  readonly at: EpochSeconds
}

export type CensusOptions = {
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

export const registeredStates = clientStates.filter((state): state is RegisteredState => state !== 'gone')

const pass = async ({ census, removals, policy, now }: CensusOptions): Promise<Counted | undefined> => {
  const clients = { unused: 0, active: 0, idle: 0, parked: 0, suspended: 0 }
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
