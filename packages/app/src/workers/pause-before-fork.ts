const observed = 60_000
const shortestPause = 100
const maxPause = 30_000

/** Of the times at which workers ended, those of the last minute. */
export const latestEnds = (ends: ReadonlyArray<number>, now: number): ReadonlyArray<number> =>
  ends.filter((end) => now - end < observed)

/** Milliseconds until a worker is forked in place of one that ended, by the number of latest ends. */
export const pauseBeforeFork = (ends: number): number => Math.min(maxPause, shortestPause * 2 ** (ends - 1))
