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

export const epochSeconds = (milliseconds: number): EpochSeconds =>
  Math.max(0, Math.floor(milliseconds / 1000)) as EpochSeconds

export const earlier = (one: EpochSeconds, other: EpochSeconds): EpochSeconds => (one < other ? one : other)
export const later = (one: EpochSeconds, other: EpochSeconds): EpochSeconds => (one > other ? one : other)

export const secondsAfter = (start: EpochSeconds, seconds: number): EpochSeconds => (start + seconds) as EpochSeconds

/** A whole number of seconds, at least one. */
export const isLifetimeUpTo =
  (maxSeconds: number) =>
  (value: unknown): value is number =>
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= maxSeconds
