// The client_ids of a file, by 64 bits of their digests: 16 to 32 bytes for each, in place of the text. Two ids of a
// million have the same bits with a probability of 3 in 100 million; the later record is then reported as repeated.
import { hash } from 'node:crypto'

export type SeenIds = {
  /** Whether the id was added before; it is added. */
  readonly add: (id: string) => boolean
}

const smallest = 1_024

export const createSeenIds = (): SeenIds => {
  let table = new BigUint64Array(smallest)
  let count = 0

  // Linear probing: the place of the value, or the free place for it.
  const placeIn = (slots: BigUint64Array, value: bigint): number => {
    let place = Number(value % BigInt(slots.length))
    while (slots[place] !== 0n && slots[place] !== value) place = (place + 1) % slots.length
    return place
  }

  const grow = (): void => {
    const larger = new BigUint64Array(table.length * 2)
    for (const value of table) if (value !== 0n) larger[placeIn(larger, value)] = value
    table = larger
  }

  return {
    add: (id) => {
      const value = hash('sha256', id, 'buffer').readBigUInt64LE() || 1n
      const place = placeIn(table, value)
      if (table[place] === value) return true
      table[place] = value
      count += 1
      if (count * 2 > table.length) grow()
      return false
    },
  }
}
