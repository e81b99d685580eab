/** The maximum numbers of requests under way and waiting, in all and for one holder; further ones are refused. */
export type Places = {
  readonly maxAtOnce: number
  readonly maxAtOnceEach: number
  readonly maxWaiting: number
  readonly maxWaitingEach: number
}

/**
 * Waits for a place, and returns the function that releases it. Rejects when too many wait, or when the signal aborts.
 */
export type Limiter = (holder: string, signal: AbortSignal) => Promise<() => void>

type Occupied = { readonly holder: string }
type Waiting = Occupied & { readonly enter: () => void }

const countOf = (all: Iterable<Occupied>, holder: string): number =>
  [...all].reduce((count, each) => (each.holder === holder ? count + 1 : count), 0)

/** The next one: the first of those whose holder has the fewest places and is below its maximum. */
const nextOf = (waiting: Iterable<Waiting>, inside: Iterable<Occupied>, maxEach: number): Waiting | undefined => {
  const occupied = new Map<string, number>()
  for (const { holder } of inside) occupied.set(holder, (occupied.get(holder) ?? 0) + 1)
  const placesOf = ({ holder }: Occupied): number => occupied.get(holder) ?? 0
  return [...waiting]
    .filter((each) => placesOf(each) < maxEach)
    .reduce<Waiting | undefined>(
      (next, each) => (next === undefined || placesOf(each) < placesOf(next) ? each : next),
      undefined,
    )
}

/** Limits concurrent requests. Waiting requests of one holder do not delay the other holders. */
export const createLimiter = ({ maxAtOnce, maxAtOnceEach, maxWaiting, maxWaitingEach }: Places): Limiter => {
  const inside = new Set<Occupied>()
  const waiting = new Set<Waiting>()
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
