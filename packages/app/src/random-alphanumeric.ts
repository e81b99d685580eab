import { randomOctets } from './random-pool.js'

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 'latin1')
const unbiasedOctets = 256 - (256 % alphabet.length)

/** Uniform over A-Z a-z 0-9: octets beyond the last whole multiple of 62 are drawn again. */
export const randomAlphanumeric = (length: number): string => {
  const signs = Buffer.alloc(length)
  let made = 0
  while (made < length) {
    const octets = randomOctets(length - made)
    for (const octet of octets) {
      signs[made] = alphabet[octet % alphabet.length] ?? 0
      // What is beyond is written over by the next one.
      if (octet < unbiasedOctets) made += 1
    }
    octets.fill(0)
  }
  const text = signs.toString('latin1')
  signs.fill(0)
  return text
}
