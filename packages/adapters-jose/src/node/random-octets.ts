import { randomFillSync } from 'node:crypto'

const drawnAtOnce = 4096

/** So many octets, or as many as are drawn at once. */
export type RandomOctets = (wanted: number) => Uint8Array

/**
 * Draws many octets at once, because a call of the random source takes longer than what it gives; each is used once, and then
 * erased. Two copies of one memory image have the same octets ahead, as they have the same state of the source itself: so the
 * clock, in seconds and nanoseconds, goes into the first eight octets of each value, and tells the copies apart.
 */
export const createRandomOctets = (
  fill: (octets: Uint8Array) => unknown,
  clock: () => ReadonlyArray<number>,
): RandomOctets => {
  const pool = new Uint8Array(drawnAtOnce)
  let next = pool.length
  return (wanted) => {
    const count = Math.min(wanted, pool.length)
    if (next + count > pool.length) {
      fill(pool)
      next = 0
    }
    const octets = pool.slice(next, next + count)
    pool.fill(0, next, next + count)
    next += count
    const time = clock()
    for (let place = 0; place < Math.min(8, count); place += 1)
      octets[place] = (octets[place] ?? 0) ^ ((time[place >> 2] ?? 0) >>> (8 * (place & 3)))
    return octets
  }
}

export const randomOctets: RandomOctets = createRandomOctets(randomFillSync, () => [
  Math.floor(Date.now() / 1000),
  (performance.now() * 1_000_000) >>> 0,
])
