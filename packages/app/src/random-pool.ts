import { randomFillSync } from 'node:crypto'

// Because a call for random bytes costs more than the bytes, many are drawn at once; each is used once and then erased.
const pool = new Uint8Array(4096)
const position = { next: pool.length }

/** So many octets of the system's secure random source, or as many as are drawn at once. */
export const randomOctets = (wanted: number): Uint8Array => {
  const count = Math.min(wanted, pool.length)
  if (position.next + count > pool.length) {
    randomFillSync(pool)
    position.next = 0
  }
  const octets = pool.slice(position.next, position.next + count)
  pool.fill(0, position.next, position.next + count)
  position.next += count
  return octets
}
