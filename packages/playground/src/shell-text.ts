// What could drive the terminal that it is pasted into or be lost on the way; the exclamation mark, because an interactive
// shell looks into its history for it, on the lines of a quotation after the first one as well.
const carried = /([\x00-\x09\x0B-\x1F\x7F-\x9F\uD800-\uDFFF!]+)/u

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`

/** The bytes of one character as UTF-8 would have them; half of a surrogate pair, which it has none for, stays ill-formed. */
const bytesOf = (character: string): ReadonlyArray<number> => {
  const code = character.codePointAt(0) ?? 0
  // Because no argument holds NUL. Where JSON allows neither of them, both are wrong alike.
  if (code === 0) return [1]
  if (code < 0x80) return [code]
  if (code < 0x800) return [0xc0 | (code >> 6), 0x80 | (code & 0x3f)]
  return [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
}

// POSIX Shell Command Language §2.2.2: within apostrophes nothing but an apostrophe counts.
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

// §2.6.3: what printf makes of octal digits, which show nothing that a shell or a terminal would act on.
const printed = (characters: string): string =>
  `"$(printf '${Array.from(characters).flatMap(bytesOf).map(octal).join('')}')"`

/** One argument for any POSIX shell, which reads the text as it is. */
export const shellText = (text: string): string =>
  text === ''
    ? quoted(text)
    : text
        .split(carried)
        .filter((part) => part !== '')
        .map((part) => (carried.test(part) ? printed(part) : quoted(part)))
        .join('')
