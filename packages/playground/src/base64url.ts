// RFC 4648 §5, without padding: characters that a URL does not escape.
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const bitsOf = (value: number, length: number): string => value.toString(2).padStart(length, '0')

const inPieces = (bits: string, length: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(bits.length / length) }, (_, at) => bits.slice(at * length, (at + 1) * length))

/** A text as base64url of its UTF-8. */
export const toBase64url = (text: string): string =>
  inPieces(Array.from(new TextEncoder().encode(text), (byte) => bitsOf(byte, 8)).join(''), 6)
    .map((piece) => alphabet.charAt(parseInt(piece.padEnd(6, '0'), 2)))
    .join('')

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The text that the base64url encodes, if it is valid. */
export const fromBase64url = (encoded: string): string | undefined => {
  if (!/^[\w-]*$/.test(encoded)) return undefined
  const bits = Array.from(encoded, (character) => bitsOf(alphabet.indexOf(character), 6)).join('')
  const bytes = inPieces(bits, 8).filter((piece) => piece.length === 8)
  try {
    return strictUtf8.decode(Uint8Array.from(bytes, (piece) => parseInt(piece, 2)))
  } catch {
    return undefined
  }
}
