// The tokens of the index of texts: a trigram, with the block of ordinals that the client is in. SQLite reads the list of
// a token from its beginning, so that a token of all clients would make the last pages slow.
/** Ordinals of one block: the longest list that is read. */
const blockSize = 65_536

const blockOf = (ordinal: number): number => Math.floor(ordinal / blockSize)

/** The last ordinal of the block of an ordinal. */
export const endOfBlock = (ordinal: number): number => (blockOf(ordinal) + 1) * blockSize - 1

const codes: ReadonlyArray<string> = Array.from({ length: 128 }, (_, code) => code.toString(36))

const codeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  return codes[code] ?? code.toString(36)
}

// Two trigrams may have one token: what it finds is judged by the texts. One pass without arrays of characters takes a
// third of the time.
const tokensIn = (ordinal: number, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const block = `${blockOf(ordinal).toString(36)}x`
  const tokens = new Set<string>()
  for (const folded of texts) {
    let first = ''
    let second = ''
    for (const character of folded) {
      const last = codeOf(character)
      if (first !== '') tokens.add(block + first + second + last)
      first = second
      second = last
    }
  }
  return [...tokens]
}

/** The tokens of the folded texts of the client of the ordinal. */
export const tokensOf = (ordinal: number, texts: ReadonlyArray<string>): string => tokensIn(ordinal, texts).join(' ')

/** The query for the clients with these trigrams in the block of an ordinal. */
export const matchIn =
  (trigrams: ReadonlyArray<string>) =>
  (ordinal: number): string =>
    tokensIn(ordinal, trigrams).join(' AND ')
