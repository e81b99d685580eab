// Parks and removes unused clients of open registration, in the background: docs/life-cycle.md.
import { type SweepClientsPorts, type LifeCyclePolicy, sweepClients } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'
import { type Pass, type RepeatedPasses, createRepeatedPasses } from '../repeated-passes.js'

export type ClientSweeperOptions = {
  readonly policy: LifeCyclePolicy
  readonly ports: SweepClientsPorts
  readonly log: Log
}

// Milliseconds. Passes of several instances at the same time park and remove each client once.
const interval = 300_000
const pauseBetweenBatches = 200
const waitAfterFailure = 60_000

const sweeping =
  ({ policy, ports, log }: ClientSweeperOptions): Pass =>
  async (isStopping) => {
    const swept = await sweepClients(policy, ports)().catch((detail: unknown) => E.left({ detail }))
    if (E.isLeft(swept)) {
      if (!isStopping())
        log.error({ detail: swept.left.detail }, 'unused clients could not be removed; it is tried again')
      return waitAfterFailure
    }
    const { parked, removed, more } = swept.right
    if (parked + removed > 0) log.info({ parked, removed }, 'clients of open registration that were never used')
    return more ? pauseBetweenBatches : interval
  }

export const createClientSweeper = (options: ClientSweeperOptions): RepeatedPasses =>
  createRepeatedPasses(pauseBetweenBatches, sweeping(options))
