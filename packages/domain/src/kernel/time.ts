// Times in seconds, and by how much clocks may differ.
import * as t from 'io-ts'

export interface EpochSecondsBrand {
  readonly EpochSeconds: unique symbol
}

/** Whole seconds since 1970-01-01T00:00:00Z, UTC. */
export const EpochSeconds = t.brand(
  t.number,
  (seconds): seconds is t.Branded<number, EpochSecondsBrand> => Number.isSafeInteger(seconds) && seconds >= 0,
  'EpochSeconds',
)

export type EpochSeconds = t.TypeOf<typeof EpochSeconds>

/** The time in whole seconds of one in milliseconds, as `Date.now()` has it; not before 1970. */
export const epochSeconds = (milliseconds: number): EpochSeconds =>
  Math.max(0, Math.floor(milliseconds / 1000)) as EpochSeconds

export const earlier = (one: EpochSeconds, other: EpochSeconds): EpochSeconds => (one < other ? one : other)
export const later = (one: EpochSeconds, other: EpochSeconds): EpochSeconds => (one > other ? one : other)

export const secondsAfter = (start: EpochSeconds, seconds: number): EpochSeconds => (start + seconds) as EpochSeconds

/** So many seconds earlier, and not before 1970. */
export const secondsBefore = (end: EpochSeconds, seconds: number): EpochSeconds =>
  secondsAfter(end, -Math.min(end, seconds))

/** In seconds. A time that is further ahead is a mistake, such as one in milliseconds. */
export const century = 36_525 * 86_400

/** A whole number of seconds, at least one. */
export const isLifetimeUpTo =
  (maxSeconds: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxSeconds

// Times as texts.

// RFC 3339 §5.6, also with a space in place of T, as databases write it
const time =
  /^(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d))?$/

const secondsInDay = 86_400

// The days since 1970-01-01 of the Gregorian calendar, whose years are counted from March, so that a leap day is the last
// of its year.
const daysOf = (year: number, month: number, day: number): number => {
  const counted = month > 2 ? year : year - 1
  const monthFromMarch = (month + 9) % 12
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + day - 1
  const leapDays = Math.floor(counted / 4) - Math.floor(counted / 100) + Math.floor(counted / 400)
  return counted * 365 + leapDays + dayOfYear - 719_468
}

const offsetOf = (sign: string | undefined, hours: string | undefined, minutes: string | undefined): number =>
  sign === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60)

/** Seconds since the epoch, also negative ones. Without an offset, the time is of UTC. */
export const secondsOfText = (text: string): number | undefined => {
  const parts = time.exec(text)
  if (parts === null) return undefined
  const numbers = parts.slice(1, 7).map(Number)
  const at = (place: number): number => numbers[place] ?? 0
  const day = daysOf(at(0), at(1), at(2))
  // RFC 3339 §5.7: no day is after the last one of its month
  if (day >= daysOf(at(0), at(1) + 1, 1)) return undefined
  const inDay = at(3) * 3600 + at(4) * 60 + at(5)
  return day * secondsInDay + inDay - offsetOf(parts[7], parts[8], parts[9])
}

/** A date, a time of RFC 3339, or seconds since the epoch; undefined for any other text. */
export const timeOfText = (text: string): EpochSeconds | undefined => {
  const seconds = /^\d{1,15}$/.test(text)
    ? Number(text)
    : secondsOfText(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  return EpochSeconds.is(seconds) ? seconds : undefined
}

// The clock of an instance beside that of the store: claims and expiries are by the former, decisions on keys by the
// latter.

/** In milliseconds since 1970: the store's time, and the instance's just before and after it was asked for. */
type ClockReading = { readonly before: number; readonly store: number; readonly after: number }

/** In milliseconds: an instance with a greater difference is refused. */
export const maxClockDifference = 5_000
/** In milliseconds: a greater difference is reported. */
const reportedClockDifference = 1_000

/** The least difference that explains the reading, in milliseconds; positive where the instance is ahead. */
export const clockDifference = ({ before, store, after }: ClockReading): number => {
  if (before > store) return before - store
  return after < store ? after - store : 0
}

type ClockVerdict = 'agrees' | 'differs' | 'refused'

export const decideClock = (difference: number): ClockVerdict => {
  const size = Math.abs(difference)
  if (size > maxClockDifference) return 'refused'
  return size > reportedClockDifference ? 'differs' : 'agrees'
}
