/** Waits for a place, and gives the way to leave it again. Rejects when too many wait, or when the signal aborts. */
export type Turnstile = (signal: AbortSignal) => Promise<() => void>

/** Lets so many in at once, in the order in which they came, and so many wait. */
export const createTurnstile = (places: number, waitingPlaces: number): Turnstile => {
  const inside = new Set<symbol>()
  const waiting = new Set<() => void>()
  const admit = (): (() => void) => {
    const place = Symbol('place')
    inside.add(place)
    return () => {
      const [next] = inside.delete(place) ? waiting : []
      next?.()
    }
  }
  const wait = (signal: AbortSignal): Promise<() => void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(enter)
        reject(new Error('no place came free in time'))
      }
      const enter = (): void => {
        waiting.delete(enter)
        signal.removeEventListener('abort', giveUp)
        resolve(admit())
      }
      waiting.add(enter)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  return (signal) => {
    if (inside.size < places) return Promise.resolve(admit())
    if (waiting.size < waitingPlaces) return wait(signal)
    return Promise.reject(new Error('too many requests wait already'))
  }
}
