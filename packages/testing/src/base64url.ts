const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsOf = (byte: number): string => byte.toString(2).padStart(8, '0')

/** RFC 4648 §5, without padding; by hand, because not every runtime has a Buffer. */
export const base64urlOf = (bytes: Uint8Array): string => {
  const sextets =
    Array.from(bytes, bitsOf)
      .join('')
      .match(/.{1,6}/g) ?? []
  return sextets.map((sextet) => digits.charAt(parseInt(sextet.padEnd(6, '0'), 2))).join('')
}
