// So that nothing that is shown can end the quotation, drive the terminal that it is pasted into, or be lost on the way.
const control = /[\x00-\x09\x0B-\x1F\x7F-\x9F\uD800-\uDFFF]/u

const hexadecimal = (byte: number): string => `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`

/** The bytes of one character as UTF-8 would have them; half of a surrogate pair, which it has none for, stays ill-formed. */
const bytesOf = (character: string): ReadonlyArray<number> => {
  const code = character.codePointAt(0) ?? 0
  // Because no argument holds NUL. Where JSON allows neither of them, both are wrong alike.
  if (code === 0) return [1]
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)]
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
}

// The exclamation mark is for the history of interactive shells.
const escaped = (character: string): string => {
  if (character === '\\' || character === "'") return `\\${character}`
  if (character === '!') return '\\x21'
  return control.test(character) ? bytesOf(character).map(hexadecimal).join('') : character
}

/** One argument for a POSIX shell; with control characters, in the quotation $'…' that bash and zsh know. */
export const shellText = (text: string): string =>
  control.test(text) ? `$'${Array.from(text, escaped).join('')}'` : `'${text.replaceAll("'", "'\\''")}'`
