// Makes the texts of new and changed clients ready for fast search, in the background: docs/managing-clients.md. Search
// finds all clients without it, and takes longer.
import type { ClientSearch } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'
import { type RepeatedPasses, createRepeatedPasses } from '../repeated-passes.js'

// Milliseconds. In a batch of a hundred, SQLite answers nothing else.
const interval = 5_000
/** A batch takes longer while requests are answered: they come first, and the index takes a quarter of the time at most. */
const pauseAfter = (took: number): number => 3 * took
const waitAfterFailure = 60_000
const batch = 100

export const createTextIndexer = ({ indexTexts }: Pick<ClientSearch, 'indexTexts'>, log: Log): RepeatedPasses =>
  createRepeatedPasses(interval, async (isStopping) => {
    const began = performance.now()
    const indexed = await indexTexts(batch)().catch((detail: unknown) => E.left({ detail }))
    if (E.isRight(indexed)) return indexed.right === batch ? pauseAfter(performance.now() - began) : interval
    if (!isStopping())
      log.error({ detail: indexed.left.detail }, 'texts of clients could not be indexed; it is tried again')
    return waitAfterFailure
  })
