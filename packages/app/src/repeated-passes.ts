// Work that the service does by itself, pass after pass.

export type RepeatedPasses = {
  readonly start: () => void
  /** Begins no further pass, and waits for the present one. */
  readonly stop: () => Promise<void>
}

/** Makes one pass, and returns the milliseconds until the next one; never rejects. */
export type Pass = (isStopping: () => boolean) => Promise<number>

/** The first pass is made after so many milliseconds. */
export const createRepeatedPasses = (first: number, pass: Pass): RepeatedPasses => {
  const state: { timer: NodeJS.Timeout | undefined; passing: Promise<void> | undefined; stopped: boolean } = {
    timer: undefined,
    passing: undefined,
    stopped: false,
  }
  const schedule = (wait: number): void => {
    if (!state.stopped) state.timer = setTimeout(work, wait).unref()
  }
  const work = (): void => {
    state.passing = pass(() => state.stopped).then((wait) => {
      state.passing = undefined
      schedule(wait)
    })
  }
  return {
    start: () => schedule(first),
    stop: async () => {
      state.stopped = true
      clearTimeout(state.timer)
      await state.passing
    },
  }
}
