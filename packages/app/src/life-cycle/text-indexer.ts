// Makes the texts of new and changed clients ready for fast search, in the background: docs/managing-clients.md. Search
// finds all clients without it, and takes longer.
import type { ClientSearch } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { Log } from '../observing/log.js'

export type TextIndexer = {
  readonly start: () => void
  /** Begins no further batch, and waits for the present one. */
  readonly stop: () => Promise<void>
}

// Milliseconds. A batch takes some milliseconds, in which SQLite answers nothing else.
const interval = 5_000
const pauseBetweenBatches = 20
const waitAfterFailure = 60_000
const batch = 100

type State = { timer: NodeJS.Timeout | undefined; indexing: Promise<void> | undefined; stopped: boolean }

export const createTextIndexer = ({ indexTexts }: Pick<ClientSearch, 'indexTexts'>, log: Log): TextIndexer => {
  const state: State = { timer: undefined, indexing: undefined, stopped: false }
  const indexOnce = async (): Promise<number> => {
    const indexed = await indexTexts(batch)().catch((detail: unknown) => E.left({ detail }))
    if (E.isRight(indexed)) return indexed.right === batch ? pauseBetweenBatches : interval
    if (!state.stopped)
      log.error({ detail: indexed.left.detail }, 'texts of clients could not be indexed; it is tried again')
    return waitAfterFailure
  }
  const schedule = (wait: number): void => {
    if (!state.stopped) state.timer = setTimeout(work, wait).unref()
  }
  const work = (): void => {
    state.indexing = indexOnce().then((wait) => {
      state.indexing = undefined
      schedule(wait)
    })
  }
  return {
    start: () => schedule(interval),
    stop: async () => {
      state.stopped = true
      clearTimeout(state.timer)
      await state.indexing
    },
  }
}
