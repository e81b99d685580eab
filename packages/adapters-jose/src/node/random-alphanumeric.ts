import { randomOctets } from './random-octets.js'

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'latin1')
const unbiasedOctets = 256 - (256 % alphabet.length)

/** One octet of 32 is drawn again on average: so many more are drawn at once that this is seldom needed. */
const withSpare = (length: number): number => Math.ceil(length * 1.05) + 8

/** Uniform over A-Z a-z 0-9: octets beyond the last whole multiple of 62 are drawn again. */
export const randomAlphanumeric = (length: number): string => {
  const signs = Buffer.alloc(length)
  let made = 0
  while (made < length) {
    const octets = randomOctets(withSpare(length - made))
    for (const octet of octets) {
      if (octet >= unbiasedOctets || made === length) continue
      signs[made] = alphabet[octet % alphabet.length] ?? 0
      made += 1
    }
    octets.fill(0)
  }
  const text = signs.toString('latin1')
  signs.fill(0)
  return text
}
