// Time that goes on to the next moment at which somebody wakes, as soon as nothing else happens.

export type VirtualTime = {
  /** Seconds since the beginning. */
  readonly now: () => number
  readonly sleep: (seconds: number) => Promise<void>
  /** Lets time pass until it is so; fails where that does not come in the given number of moments. */
  readonly passUntil: (isSo: () => boolean | Promise<boolean>, maxMoments?: number) => Promise<void>
}

/** More than the longest chain of promises that one moment settles. */
const microtasks = 2_000

type Sleeper = { readonly until: number; readonly wake: () => void }

export const virtualTime = (): VirtualTime => {
  const sleepers: Array<Sleeper> = []
  let now = 0
  const passOneMoment = async (): Promise<void> => {
    // All promises that can settle have settled then, because nothing here waits for the world outside. Runtimes share no
    // cheaper way to wait for them.
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
