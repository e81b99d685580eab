// Parks and removes unused clients of open registration, in the background: docs/life-cycle.md.
import { type SweepClientsPorts, type LifeCyclePolicy, sweepClients } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'

export type ClientSweeper = {
  readonly start: () => void
  /** Begins no further pass, and waits for the present one. */
  readonly stop: () => Promise<void>
}

export type ClientSweeperOptions = {
  readonly policy: LifeCyclePolicy
  readonly ports: SweepClientsPorts
  readonly log: Log
}

// Milliseconds. Instances that start together do not work together: each begins at a time of its own.
const interval = 300_000
const pauseBetweenBatches = 200
const waitAfterFailure = 60_000

type State = { timer: NodeJS.Timeout | undefined; passing: Promise<void> | undefined; stopped: boolean }

/** Makes a pass, and returns the milliseconds until the next one. */
const pass = async ({ policy, ports, log }: ClientSweeperOptions, { stopped }: State): Promise<number> => {
  const swept = await sweepClients(policy, ports)().catch((detail: unknown) => E.left({ detail }))
  if (E.isLeft(swept)) {
    if (!stopped) log.error({ detail: swept.left.detail }, 'unused clients could not be removed; it is tried again')
    return waitAfterFailure
  }
  const { parked, removed, more } = swept.right
  if (parked + removed > 0) log.info({ parked, removed }, 'clients of open registration that were never used')
  return more ? pauseBetweenBatches : interval
}

export const createClientSweeper = (options: ClientSweeperOptions): ClientSweeper => {
  const state: State = { timer: undefined, passing: undefined, stopped: false }
  const schedule = (wait: number): void => {
    if (!state.stopped) state.timer = setTimeout(work, wait).unref()
  }
  const work = (): void => {
    state.passing = pass(options, state).then((wait) => {
      state.passing = undefined
      schedule(wait)
    })
  }
  return {
    start: () => schedule(pauseBetweenBatches),
    stop: async () => {
      state.stopped = true
      clearTimeout(state.timer)
      await state.passing
    },
  }
}
