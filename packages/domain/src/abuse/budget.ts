// The generic cell rate algorithm (ITU-T I.371 Annex A): the state of a budget is the time at which it is whole again.
import * as E from 'fp-ts/lib/Either.js'
import { maxClockDifference } from '../instances/clock-difference.js'

/** So much at once; each unit comes back after so many milliseconds. Whole numbers, at least 1. */
export type Budget = { readonly burst: number; readonly interval: number }

/** In milliseconds since 1970: when the budget is whole again. A past time, or undefined, is a whole budget. */
export type WholeAt = number | undefined

/** Milliseconds after which there is enough for what was refused. */
export type Exhausted = { readonly error: 'exhausted'; readonly retryAfter: number }

/** Two clocks of instances may each differ by so much from that of the store. */
const maxBehind = 2 * maxClockDifference

/** Milliseconds in which a consumed budget becomes whole. */
export const span = ({ burst, interval }: Budget): number => burst * interval

/**
 * No consumption leads further ahead. A later time is from a clock that was set back since, and counts as a whole budget:
 * otherwise it would refuse until the clock is there again.
 */
export const latestWholeAt = (budget: Budget, now: number): number => now + span(budget) + maxBehind

const startOf = (budget: Budget, wholeAt: WholeAt, now: number): number =>
  wholeAt === undefined || wholeAt > latestWholeAt(budget, now) ? now : Math.max(wholeAt, now)

/** The units that can be consumed now. */
export const unitsOf = (budget: Budget, wholeAt: WholeAt, now: number): number =>
  Math.max(0, Math.floor((now + span(budget) - startOf(budget, wholeAt, now)) / budget.interval))

/** Consumes the units, or refuses all of them. More than the burst is refused at any time. */
export const consume = (budget: Budget, wholeAt: WholeAt, units: number, now: number): E.Either<Exhausted, number> => {
  const next = startOf(budget, wholeAt, now) + units * budget.interval
  const over = next - (now + span(budget))
  return over > 0 ? E.left({ error: 'exhausted', retryAfter: over }) : E.right(next)
}
