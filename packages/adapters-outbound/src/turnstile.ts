/** How many are inside at once and wait, in all and of one holder; any more are refused. */
export type Places = {
  readonly maxAtOnce: number
  readonly maxAtOnceEach: number
  readonly maxWaiting: number
  readonly maxWaitingEach: number
}

/** Waits for a place, and gives the way to leave it again. Rejects when too many wait, or when the signal aborts. */
export type Turnstile = (holder: string, signal: AbortSignal) => Promise<() => void>

type Held = { readonly holder: string }
type Waiting = Held & { readonly enter: () => void }

const countOf = (all: Iterable<Held>, holder: string): number =>
  [...all].reduce((count, each) => (each.holder === holder ? count + 1 : count), 0)

/** Who comes next: the first of those whose holder has the fewest places, and room for one more. */
const nextOf = (waiting: Iterable<Waiting>, inside: Iterable<Held>, maxEach: number): Waiting | undefined => {
  const held = new Map<string, number>()
  for (const { holder } of inside) held.set(holder, (held.get(holder) ?? 0) + 1)
  const placesOf = ({ holder }: Held): number => held.get(holder) ?? 0
  return [...waiting]
    .filter((each) => placesOf(each) < maxEach)
    .reduce<Waiting | undefined>(
      (next, each) => (next === undefined || placesOf(each) < placesOf(next) ? each : next),
      undefined,
    )
}

/** Lets so many in at once. No holder keeps another one out, however many of its own wait. */
export const createTurnstile = ({ maxAtOnce, maxAtOnceEach, maxWaiting, maxWaitingEach }: Places): Turnstile => {
  const [inside, waiting] = [new Set<Held>(), new Set<Waiting>()]
  const admit = (holder: string): (() => void) => {
    const place = { holder }
    inside.add(place)
    return () => {
      if (inside.delete(place)) nextOf(waiting, inside, maxAtOnceEach)?.enter()
    }
  }
  const wait = (holder: string, signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(turn)
        reject(new Error('no place came free in time'))
      }
      const turn = {
        holder,
        enter: () => {
          waiting.delete(turn)
          signal.removeEventListener('abort', giveUp)
          resolve(admit(holder))
        },
      }
      waiting.add(turn)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  return (holder, signal) => {
    if (inside.size < maxAtOnce && countOf(inside, holder) < maxAtOnceEach) return Promise.resolve(admit(holder))
    if (waiting.size < maxWaiting && countOf(waiting, holder) < maxWaitingEach) return wait(holder, signal)
    return Promise.reject(new Error('too many requests wait already'))
  }
}
