// Work beside requests that is repeated pass after pass, until it is stopped.

export type RepeatedPasses = {
  readonly start: () => void
  /** Begins no further pass, and waits for the present one. */
  readonly stop: () => Promise<void>
}

export type WakenPasses = RepeatedPasses & {
  /** Makes the next pass at once, or when the present one ends. */
  readonly wake: () => void
}

/**
 * Repeats a pass, for the first time after so many milliseconds. A pass returns the milliseconds until the next one, and never
 * rejects.
 */
export const createRepeatedPasses = (
  first: number,
  pass: (isStopping: () => boolean) => Promise<number>,
): WakenPasses => {
  const state: {
    timer: NodeJS.Timeout | undefined
    passing: Promise<void> | undefined
    /** Whether somebody asked for another pass during the present one. */
    again: boolean
    stopped: boolean
  } = { timer: undefined, passing: undefined, again: false, stopped: false }
  const schedule = (wait: number): void => {
    clearTimeout(state.timer)
    if (!state.stopped) state.timer = setTimeout(work, wait).unref()
  }
  const work = (): void => {
    state.passing = pass(() => state.stopped).then((wait) => {
      state.passing = undefined
      schedule(state.again ? 0 : wait)
      state.again = false
    })
  }
  return {
    start: () => schedule(first),
    wake: () => {
      if (state.passing === undefined) schedule(0)
      else state.again = true
    },
    stop: async () => {
      state.stopped = true
      clearTimeout(state.timer)
      await state.passing
    },
  }
}
