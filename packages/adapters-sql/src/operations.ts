import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

export type Operations = {
  /** Runs the operation, unless the store is closed. */
  readonly track: <Failure, Result>(operation: TaskEither<Failure, Result>) => TaskEither<Failure | Unavailable, Result>
  /** Resolves when no operation is pending; later ones are refused. */
  readonly end: () => Promise<void>
}

/** Counts the pending operations: a Set of them would get a new table each time that it becomes empty. */
export const createOperations = (): Operations => {
  const state = { pending: 0, isClosed: false }
  const idle: Array<() => void> = []
  return {
    track: (operation) => async () => {
      if (state.isClosed) return E.left(unavailable('the store is closed'))
      state.pending += 1
      try {
        return await operation()
      } finally {
        state.pending -= 1
        if (state.pending === 0) for (const resolve of idle.splice(0)) resolve()
      }
    },
    end: async () => {
      while (state.pending > 0) await new Promise<void>((resolve) => idle.push(resolve))
      state.isClosed = true
    },
  }
}
