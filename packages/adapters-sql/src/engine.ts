// What every engine has: places, shares, its pending operations, and the health of its writes.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Place, Shared, Tx } from './verb.js'

/**
 * The places that are left in a transaction, as they are counted for the first verb that asks. Throws where another verb of
 * the batch has another limit: then the engine runs the verbs of the batch one by one.
 */
export const createPlaces = <Left>(): ((place: Place, count: () => Left) => Left) => {
  const counted = new Map<Place['taken'], { readonly max: number; readonly left: Left }>()
  return ({ taken, max }, count) => {
    const known = counted.get(taken) ?? { max, left: count() }
    if (known.max !== max) throw new Error('verbs of a batch have different limits')
    counted.set(taken, known)
    return known.left
  }
}

export const createShares = (): Tx['share'] => {
  const made = new Map<Shared<unknown>, unknown>()
  return <Value>(shared: Shared<Value>) => {
    const value = made.has(shared) ? made.get(shared) : shared.make()
    made.set(shared, value)
    // It was made by `shared`.
    return value as Value
  }
}

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

/** Milliseconds for which a failure counts although a write succeeds: a small one may find room on a full disk. */
const failureCounts = 5_000

/** Whether the store takes writes, by the outcome of those that were made: readiness is asked often, and writes nothing. */
export type WriteHealth = {
  /** The reason is for people, with the remedy. */
  readonly failed: (reason: string, detail: unknown) => void
  readonly succeeded: () => void
  readonly check: () => E.Either<Unavailable, void>
}

/** `now` is in milliseconds, of a clock that does not go back. */
export const createWriteHealth = (now: () => number = () => performance.now()): WriteHealth => {
  let failure: { readonly because: Unavailable; readonly at: number } | undefined
  return {
    failed: (reason, detail) => {
      failure = { because: { ...unavailable(detail), reason }, at: now() }
    },
    succeeded: () => {
      if (failure !== undefined && now() - failure.at > failureCounts) failure = undefined
    },
    check: () => (failure === undefined ? E.right(undefined) : E.left(failure.because)),
  }
}
