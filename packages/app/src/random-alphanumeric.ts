import { randomFillSync } from 'node:crypto'

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'latin1')
const unbiasedBytes = 256 - (256 % alphabet.length)

// Because a call for random bytes costs more than the bytes, many are drawn at once; each is used once and then erased.
const pool = new Uint8Array(4096)
const position = { next: pool.length }

const nextByte = (): number => {
  if (position.next === pool.length) {
    randomFillSync(pool)
    position.next = 0
  }
  const byte = pool[position.next] ?? unbiasedBytes
  pool[position.next] = 0
  position.next += 1
  return byte
}

/** Uniform over A-Z a-z 0-9: bytes beyond the last whole multiple of 62 are drawn again. */
export const randomAlphanumeric = (length: number): string => {
  const signs = Buffer.alloc(length)
  let drawn = 0
  while (drawn < length) {
    const byte = nextByte()
    signs[drawn] = alphabet[byte % alphabet.length] ?? 0
    // What is beyond is written over by the next one.
    if (byte < unbiasedBytes) drawn += 1
  }
  const text = signs.toString('latin1')
  signs.fill(0)
  return text
}
