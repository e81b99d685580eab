import { randomFillSync } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const unbiasedBytes = 256 - (256 % alphabet.length)

// Because a call for random bytes costs more than the bytes, many are drawn at once; each is used once and then erased.
const pool = Buffer.alloc(4096)
const position = { next: pool.length }

const nextByte = (): number => {
  if (position.next === pool.length) {
    randomFillSync(pool)
    position.next = 0
  }
  const byte = pool.readUInt8(position.next)
  pool[position.next] = 0
  position.next += 1
  return byte
}

const nextCharacter = (): string => {
  const byte = nextByte()
  return byte < unbiasedBytes ? alphabet.charAt(byte % alphabet.length) : nextCharacter()
}

/** Uniform over A-Z a-z 0-9: bytes beyond the last whole multiple of 62 are drawn again. */
export const randomAlphanumeric = (length: number): string => {
  let text = ''
  while (text.length < length) text += nextCharacter()
  return text
}
