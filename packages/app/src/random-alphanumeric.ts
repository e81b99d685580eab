import { randomBytes } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const unbiasedBytes = 256 - (256 % alphabet.length)

/** Uniform over A-Z a-z 0-9: bytes beyond the last whole multiple of 62 are drawn again. */
export const randomAlphanumeric = (length: number): string => {
  const characters = [...randomBytes(length * 2)]
    .filter((byte) => byte < unbiasedBytes)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('')
  return characters.length >= length ? characters.slice(0, length) : randomAlphanumeric(length)
}
