// Times of other stores, in seconds since the epoch.
import { secondsOfText } from '../../codec/time-of-text.js'

const secondsIn = (value: unknown): number | undefined => {
  if (typeof value === 'string') return secondsOfText(value)
  return typeof value === 'number' ? Math.floor(value / 1000) : undefined
}

/** Seconds since the epoch, from a time of RFC 3339 or from milliseconds. */
export const secondsOf = (value: unknown): number | undefined => {
  const seconds = secondsIn(value)
  return seconds !== undefined && Number.isSafeInteger(seconds) && seconds >= 0 ? seconds : undefined
}
