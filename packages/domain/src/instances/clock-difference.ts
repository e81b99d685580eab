// The clock of an instance beside that of the store: claims and expiries are by the former, decisions on keys by the
// latter.

/** In milliseconds since 1970: the store's time, and the instance's just before and after it was asked for. */
export type ClockReading = { readonly before: number; readonly store: number; readonly after: number }

/** In milliseconds: an instance with a greater difference is refused. */
export const maxClockDifference = 5_000
/** In milliseconds: a greater difference is reported. */
export const reportedClockDifference = 1_000

/** The least difference that explains the reading, in milliseconds; positive where the instance is ahead. */
export const clockDifference = ({ before, store, after }: ClockReading): number => {
  if (before > store) return before - store
  return after < store ? after - store : 0
}

export type ClockVerdict = 'agrees' | 'differs' | 'refused'

export const decideClock = (difference: number): ClockVerdict => {
  const size = Math.abs(difference)
  if (size > maxClockDifference) return 'refused'
  return size > reportedClockDifference ? 'differs' : 'agrees'
}
