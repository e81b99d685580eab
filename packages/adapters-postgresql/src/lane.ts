// Requests that arrive together go to the database together: those that arrive while a batch is under way form the next.
import { type Unavailable, unavailable } from '@clientele/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'

const maxWaiting = 10_000
/**
 * Milliseconds: after a batch to which the database did not answer, those that have waited for longer are refused with
 * it, so that their wait and that of their own batch do not add up.
 */
const maxWaitForNothing = 1_000

export type Batch<Item, Result> = (items: ReadonlyArray<Item>) => Promise<ReadonlyArray<Result>>

type Waiting<Item, Result> = {
  readonly item: Item
  readonly since: number
  readonly resolve: (result: Result) => void
}

type Split<Each> = { readonly taken: ReadonlyArray<Each>; readonly left: Array<Each> }

/** The items of the next batch, without a name in common, and those that wait for a later one. */
const split = <Each extends { readonly item: Item }, Item>(
  waiting: ReadonlyArray<Each>,
  namesOf: (item: Item) => ReadonlyArray<string>,
  maxTogether: number,
): Split<Each> => {
  const names = new Set<string>()
  const taken: Array<Each> = []
  const left: Array<Each> = []
  for (const [place, each] of waiting.entries()) {
    if (taken.length >= maxTogether) return { taken, left: left.concat(waiting.slice(place)) }
    const own = namesOf(each.item)
    if (own.some((name) => names.has(name))) left.push(each)
    else {
      own.forEach((name) => names.add(name))
      taken.push(each)
    }
  }
  return { taken, left }
}

const isUnavailable = (outcome: E.Either<unknown, unknown>): boolean =>
  E.isLeft(outcome) &&
  typeof outcome.left === 'object' &&
  outcome.left !== null &&
  'error' in outcome.left &&
  outcome.left.error === 'unavailable'

/**
 * Items with a name in common go in different batches, for example two that consume the same token. A batch returns one
 * result for each item.
 */
export const createLane = <Item, Failure, Result>(
  run: Batch<Item, E.Either<Failure | Unavailable, Result>>,
  namesOf: (item: Item) => ReadonlyArray<string>,
  maxTogether: number,
): ((item: Item) => TaskEither<Failure | Unavailable, Result>) => {
  type Outcome = E.Either<Failure | Unavailable, Result>
  let waiting: Array<Waiting<Item, Outcome>> = []
  let isUnderWay = false

  const refuseLongWaiting = (outcome: Outcome): void => {
    const latest = performance.now() - maxWaitForNothing
    for (const { since, resolve } of waiting) if (since < latest) resolve(outcome)
    waiting = waiting.filter(({ since }) => since >= latest)
  }

  const work = async (): Promise<void> => {
    const { taken, left } = split(waiting, namesOf, maxTogether)
    waiting = left
    const outcomes = await run(taken.map(({ item }) => item)).catch((): ReadonlyArray<Outcome> => [])
    taken.forEach(({ resolve }, place) => resolve(outcomes[place] ?? E.left(unavailable('a batch returned no result'))))
    const [first] = outcomes
    if (first !== undefined && outcomes.every(isUnavailable)) refuseLongWaiting(first)
    if (waiting.length > 0) void setImmediate(() => void work())
    else isUnderWay = false
  }

  return (item) => () =>
    new Promise<Outcome>((resolve) => {
      if (waiting.length >= maxWaiting) return resolve(E.left(unavailable('too many requests wait for the database')))
      waiting.push({ item, since: performance.now(), resolve })
      if (isUnderWay) return
      isUnderWay = true
      setImmediate(() => void work())
    })
}
