// Makes the texts of new and changed clients ready for fast search, in the background: docs/managing-clients.md. Search
// finds all clients without it, and takes longer.
import type { ClientSearch } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'
import { type RepeatedPasses, createRepeatedPasses } from '../repeated-passes.js'

// Milliseconds. In a batch of a hundred, SQLite answers nothing else.
const interval = 5_000
const waitAfterFailure = 60_000
const batch = 100

/**
 * The pause after a batch: requests come first. The index takes a quarter of the time while the process has nothing else to do,
 * and a tenth of it while it is busy: `busy` is the share of the time between two batches in which it worked, from 0 to 1.
 */
export const pauseAfter = (took: number, busy: number): number => took * (3 + 6 * busy)

export const createTextIndexer = ({ indexTexts }: ClientSearch, log: Log): RepeatedPasses => {
  let paused = performance.eventLoopUtilization()
  return createRepeatedPasses(interval, async (isStopping) => {
    const busy = performance.eventLoopUtilization(paused).utilization
    const began = performance.now()
    const indexed = await indexTexts(batch)().catch((detail: unknown) => E.left({ detail }))
    paused = performance.eventLoopUtilization()
    if (E.isRight(indexed)) return indexed.right === batch ? pauseAfter(performance.now() - began, busy) : interval
    if (!isStopping())
      log.error({ detail: indexed.left.detail }, 'texts of clients could not be indexed; it is tried again')
    return waitAfterFailure
  })
}
