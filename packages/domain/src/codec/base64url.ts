// RFC 4648 §5, without padding: RFC 7515 §2
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const sextet = (text: string, index: number): number => Math.max(0, alphabet.indexOf(text.charAt(index)))

export const isBase64url = (text: string): boolean =>
  text !== '' && text.length % 4 !== 1 && !/[^A-Za-z0-9_-]/.test(text)

/** The number of bytes that the text encodes. */
export const byteLength = (text: string): number => Math.floor((text.length * 3) / 4)

/** The bit length of the encoded number; its first byte may be zero. */
export const bitLength = (text: string): number => {
  const significant = text.replace(/^A+/, '')
  if (significant === '') return 0
  const sextets = 6 * (significant.length - 1) + 32 - Math.clz32(sextet(significant, 0))
  const unused = text.length * 6 - byteLength(text) * 8
  return Math.max(0, sextets - unused)
}

/** Whether the encoded number is odd. */
export const isOdd = (text: string): boolean => {
  const unused = text.length * 6 - byteLength(text) * 8
  return ((sextet(text, text.length - 1) >> unused) & 1) === 1
}

/** The bytes that the text encodes. */
export const octetsOf = (text: string): ReadonlyArray<number> =>
  Array.from({ length: byteLength(text) }, (_, place) => {
    const bit = place * 8
    const first = Math.floor(bit / 6)
    const both = (sextet(text, first) << 6) | sextet(text, first + 1)
    return (both >> (4 - (bit % 6))) & 0xff
  })
