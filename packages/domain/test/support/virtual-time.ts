// Virtual time: it advances to the next timer as soon as nothing else happens.

export type VirtualTime = {
  /** Seconds since the start. */
  readonly now: () => number
  readonly sleep: (seconds: number) => Promise<void>
  /** Advances time until the condition holds; fails if it does not within the given number of moments. */
  readonly passUntil: (isSo: () => boolean | Promise<boolean>, maxMoments?: number) => Promise<void>
}

/** More than the longest chain of promises that settles at one moment. */
const microtasks = 2_000

type Sleeper = { readonly until: number; readonly wake: () => void }

export const virtualTime = (): VirtualTime => {
  const sleepers: Array<Sleeper> = []
  let now = 0
  const passOneMoment = async (): Promise<void> => {
    // All promises that can settle have settled then, because nothing here waits for anything outside. There is no
    // cheaper way that works in all runtimes.
    for (let turn = 0; turn < microtasks; turn += 1) await Promise.resolve()
    sleepers.sort((one, other) => one.until - other.until)
    const next = sleepers.shift()
    if (next === undefined) return
    now = next.until
    next.wake()
  }
  return {
    now: () => now,
    sleep: (seconds) => new Promise((wake) => sleepers.push({ until: now + seconds, wake })),
    passUntil: async (isSo, maxMoments = 20_000) => {
      for (let moment = 0; !(await isSo()); moment += 1) {
        if (moment >= maxMoments) throw new Error(`not so after ${now} seconds`)
        await passOneMoment()
      }
    },
  }
}
