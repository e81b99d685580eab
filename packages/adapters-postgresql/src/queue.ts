// Requests that arrive together go to the database together: those that arrive while a batch is under way form the next.
import { type Unavailable, unavailable } from '@clientele/domain/kernel'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const maxWaiting = 10_000
/**
 * Milliseconds: after a batch to which the database did not answer, those that have waited for longer are refused with
 * it, so that their wait and that of their own batch do not add up.
 */
const maxWaitForNothing = 1_000

/** Which items run together, and how many batches at the same time. */
export type Batching<Item> = {
  readonly maxBatches: number
  /** Whether each of these items is of the next batch. */
  readonly take: (waiting: ReadonlyArray<Item>) => ReadonlyArray<boolean>
  /** The items of a batch that is over. */
  readonly release: (batch: ReadonlyArray<Item>) => void
}

/** One batch at a time, of the items that arrived first. */
export const inTurn = (maxTogether: number): Batching<unknown> => ({
  maxBatches: 1,
  take: (waiting) => waiting.map((_, place) => place < maxTogether),
  release: () => undefined,
})

const isUnavailable = (outcome: E.Either<unknown, unknown>): boolean =>
  E.isLeft(outcome) &&
  typeof outcome.left === 'object' &&
  outcome.left !== null &&
  'error' in outcome.left &&
  outcome.left.error === 'unavailable'

/** `run` returns one outcome for each item of a batch. */
export const createQueue = <Item, Failure, Result>(
  run: (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<E.Either<Failure | Unavailable, Result>>>,
  { maxBatches, take, release }: Batching<Item>,
): ((item: Item) => TaskEither<Failure | Unavailable, Result>) => {
  type Outcome = E.Either<Failure | Unavailable, Result>
  type Waiting = { readonly item: Item; readonly since: number; readonly resolve: (outcome: Outcome) => void }
  let waiting: Array<Waiting> = []
  let batches = 0
  let isScheduled = false

  const refuseLongWaiting = (outcome: Outcome): void => {
    const latest = performance.now() - maxWaitForNothing
    for (const { since, resolve } of waiting) if (since < latest) resolve(outcome)
    waiting = waiting.filter(({ since }) => since >= latest)
  }
  const work = async (): Promise<void> => {
    isScheduled = false
    const isTaken = take(waiting.map(({ item }) => item))
    const batch = waiting.filter((_, place) => isTaken[place])
    if (batch.length === 0) return
    waiting = waiting.filter((_, place) => !isTaken[place])
    batches += 1
    schedule()
    const items = batch.map(({ item }) => item)
    const outcomes = await run(items).catch((error: unknown) => items.map(() => E.left(unavailable(error))))
    batches -= 1
    release(items)
    batch.forEach(({ resolve }, place) =>
      resolve(outcomes[place] ?? E.left(unavailable('a batch returned no outcome'))),
    )
    const [first] = outcomes
    if (first !== undefined && outcomes.every(isUnavailable)) refuseLongWaiting(first)
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || batches >= maxBatches) return
    isScheduled = true
    setImmediate(() => void work())
  }
  return (item) => () =>
    new Promise((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(E.left(unavailable('too many requests wait for the database')))
      waiting.push({ item, since: performance.now(), resolve })
      schedule()
    })
}
