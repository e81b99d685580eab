// The waits of unused clients: they count observed days alone, UTC days on which a use would have been seen. A day on which
// the service was down, or on which nobody recorded uses, shows nothing of a client. docs/decisions/0157.
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'
import { type LifeCyclePolicy, useTime, useUnit } from './client-state.js'

/** The days that a wait of so many seconds takes: whole ones, and at least one. */
const daysOf = (seconds: number): number => Math.max(1, Math.ceil(seconds / useUnit))

/** The days that must be observed from the time at which a client is parked until it is removed: its announcement. */
export const noticeOf = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(unusedOpenRemovedAfter - unusedOpenParkedAfter)

/** The number of observed days that the decisions look at. */
export const daysLookedAt = ({ unusedOpenParkedAfter, unusedOpenRemovedAfter }: LifeCyclePolicy): number =>
  daysOf(Math.max(unusedOpenParkedAfter, unusedOpenRemovedAfter)) + 1

/** A store keeps at least the observed days of so many seconds, which is longer than the longest wait. */
export const observedDaysKept = 3_700 * useUnit

/**
 * The latest time since which so many observed days have passed as a whole: the start of the earliest of them. Today has
 * not passed. Undefined where fewer were observed.
 */
const passedSince = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  days: number,
): EpochSeconds | undefined =>
  [...new Set(observed.map(useTime))]
    .filter((day) => day < useTime(now))
    .sort((one, other) => other - one)
    .at(days - 1)

/** Which unused clients are parked: those that wait since that time or earlier, with this time and notice. */
export type DueParking = { readonly waitsSince: EpochSeconds; readonly at: EpochSeconds; readonly notice: number }

/** Undefined while none can be due. */
export const dueParking = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueParking | undefined => {
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenParkedAfter))
  return waitsSince === undefined ? undefined : { waitsSince, at: now, notice: noticeOf(policy) }
}

/**
 * Which parked clients are removed: those that wait since the first time or earlier, and were parked at the second one or
 * earlier, with a notice of at most so many days.
 */
export type DueRemoval = {
  readonly waitsSince: EpochSeconds
  readonly parkedUntil: EpochSeconds
  readonly notice: number
}

/** Undefined while none can be due. */
export const dueRemoval = (
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined => {
  const notice = noticeOf(policy)
  const waitsSince = passedSince(now, observed, daysOf(policy.unusedOpenRemovedAfter))
  const parkedUntil = passedSince(now, observed, notice)
  return waitsSince === undefined || parkedUntil === undefined ? undefined : { waitsSince, parkedUntil, notice }
}

/** The beginning of the UTC day that is so many days later. */
const dayAfter = (now: EpochSeconds, days: number): EpochSeconds => secondsAfter(useTime(now), days * useUnit)

/** What is due at the beginning of that later day, if uses are observed on each day until then: it cannot be more. */
export const dueRemovalIn = (
  days: number,
  now: EpochSeconds,
  observed: ReadonlyArray<EpochSeconds>,
  policy: LifeCyclePolicy,
): DueRemoval | undefined =>
  dueRemoval(
    dayAfter(now, days),
    [...observed, ...Array.from({ length: days }, (_, index) => dayAfter(now, index))],
    policy,
  )

/** The earliest time at which an open client that begins to wait now is parked: whole days follow the present one. */
export const earliestParking = (now: EpochSeconds, { unusedOpenParkedAfter }: LifeCyclePolicy): EpochSeconds =>
  dayAfter(secondsAfter(now, useUnit - 1), daysOf(unusedOpenParkedAfter))
