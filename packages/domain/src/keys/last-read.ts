// Between two reads of the stored rings, another instance may change them. These bounds make that harmless; the decision
// record "keys of several instances" derives them.
import { type Unavailable, unavailable } from '../errors.js'
import { type EpochSeconds, secondsAfter } from '../codec/epoch-seconds.js'

/** The last read of the stored rings by this instance. */
export type LastRead = {
  /** The store's time just before the read. */
  readonly at: EpochSeconds
  /** The whole seconds since then, rounded up, by a clock that does not go back. */
  readonly age: number
}

/** In seconds: no instance signs on rings that it read longer ago. */
export const maxReadAge = 30

/**
 * In seconds: the difference of the clocks of the hosts of the store (5), and the time until every instance can read a
 * change whose time was taken (5).
 */
export const maxSkew = 10

/**
 * In seconds: a change is stored less than this after the store's time at which it was decided, also by a process that was
 * suspended meanwhile. The time until every instance can read it is part of maxSkew.
 */
export const maxStoringTime = 5

/** Whether a change may still be stored at this time of the store. */
export const isInTime = (decidedAt: EpochSeconds, now: EpochSeconds): boolean => now - decidedAt < maxStoringTime

/** The present time of the store, at most one second and the length of the read ahead of it. */
export const presentTime = ({ at, age }: LastRead): EpochSeconds => secondsAfter(at, age)

export const notReadSince = ({ at }: LastRead): Unavailable =>
  unavailable(`the key rings were not read since ${at} (in seconds since 1970)`)
