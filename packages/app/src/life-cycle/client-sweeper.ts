// Parks and removes unused clients of open registration, in the background: docs/life-cycle.md.
import type { EpochSeconds } from '@clientele/domain/kernel'
import { useTime } from '@clientele/domain/life-cycle'
import { type SweepClientsPorts, announceRemovals, sweepClients } from '@clientele/domain/operations'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'
import { removalsText, isoTime } from '../text.js'
import { type Pass, type RepeatedPasses, createRepeatedPasses } from '../repeated-passes.js'

export type ClientSweeperOptions = {
  readonly ports: SweepClientsPorts
  readonly log: Log
}

// Milliseconds. Passes of several instances at the same time park and remove each client once.
const interval = 300_000
const pauseBetweenBatches = 200
const waitAfterFailure = 60_000

/** After the start, and each day anew. */
const announcing = ({ ports, log }: ClientSweeperOptions): (() => Promise<void>) => {
  const told: { day: EpochSeconds | undefined } = { day: undefined }
  return async () => {
    const today = useTime(ports.now())
    if (told.day === today) return
    const announced = await announceRemovals(ports)()
    // The next pass asks anew.
    if (E.isLeft(announced)) return
    told.day = today
    const { clients, first_at } = announced.right
    if (first_at !== undefined) log.warn({ clients, first_at: isoTime(first_at) }, removalsText(announced.right))
  }
}

const sweeping = (options: ClientSweeperOptions): Pass => {
  const { ports, log } = options
  const announce = announcing(options)
  return async (isStopping) => {
    const swept = await sweepClients(ports)().catch((detail: unknown) => E.left({ detail }))
    if (E.isLeft(swept)) {
      if (!isStopping())
        log.error({ detail: swept.left.detail }, 'unused clients could not be removed; it is tried again')
      return waitAfterFailure
    }
    const { parked, removed, more } = swept.right
    if (removed > 0)
      log.warn(
        { parked, removed },
        'unused clients of open registration were removed: clientele clients restore brings one back',
      )
    else if (parked > 0) log.info({ parked }, 'unused clients of open registration were parked')
    if (!more) await announce()
    return more ? pauseBetweenBatches : interval
  }
}

export const createClientSweeper = (options: ClientSweeperOptions): RepeatedPasses =>
  createRepeatedPasses(pauseBetweenBatches, sweeping(options))
