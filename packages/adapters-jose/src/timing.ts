import type { EpochSeconds } from '@clientele/domain/kernel'
import type * as T from 'fp-ts/lib/Task.js'

/**
 * Starts to measure, and returns the whole seconds since then, rounded up. A clock that is set back does not shorten
 * them, nor does a host that was suspended, whose monotonic clock stands still meanwhile.
 */
export const stopwatch = (now: () => EpochSeconds): (() => number) => {
  const startedAt = now()
  const started = performance.now()
  return () => Math.max(Math.ceil((performance.now() - started) / 1000), now() - startedAt)
}

/** Runs at most once a second; all callers during a run wait for that run. */
export const onceASecond = (now: () => EpochSeconds, run: T.Task<unknown>): T.Task<void> => {
  let ranAt: EpochSeconds | undefined
  let running: Promise<unknown> | undefined
  return async () => {
    if (running === undefined && ranAt === now()) return
    ranAt = now()
    running ??= run().finally(() => {
      running = undefined
    })
    await running
  }
}

export type Schedule = {
  readonly begin: () => void
  readonly end: () => void
  readonly isEnded: () => boolean
}

/** Runs again so many seconds after each run. */
export const every = (seconds: number, run: T.Task<unknown>): Schedule => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isEnded = false
  const begin = (): void => {
    if (isEnded) return
    timer = setTimeout(() => void run().then(begin), seconds * 1000)
    // In Node, the timer must not keep the process alive; elsewhere a timer is a number.
    if (typeof timer === 'object') timer.unref()
  }
  const end = (): void => {
    isEnded = true
    clearTimeout(timer)
  }
  return { begin, end, isEnded: () => isEnded }
}
