// The tokens of the index of texts: a trigram, with the block of ordinals that the client is in. SQLite reads the list of
// a token from its beginning, so that a token of all clients would make the last pages slow.
/** Ordinals of one block: the longest list that is read. */
const blockSize = 65_536

const blockOf = (ordinal: number): number => Math.floor(ordinal / blockSize)

/** The last ordinal of the block of an ordinal. */
export const endOfBlock = (ordinal: number): number => (blockOf(ordinal) + 1) * blockSize - 1

const codesOf = (text: string): ReadonlyArray<string> =>
  Array.from(text, (character) => (character.codePointAt(0) ?? 0).toString(36))

// Two trigrams may have one token: what it finds is judged by the texts.
const tokensIn =
  (block: string) =>
  (folded: string): ReadonlyArray<string> => {
    const codes = codesOf(folded)
    return codes.slice(2).map((last, place) => `${block}x${codes[place]}${codes[place + 1]}${last}`)
  }

/** The tokens of the folded texts of the client of the ordinal. */
export const tokensOf = (ordinal: number, texts: ReadonlyArray<string>): string =>
  [...new Set(texts.flatMap(tokensIn(blockOf(ordinal).toString(36))))].join(' ')

/** The query for the clients with these trigrams in the block of an ordinal. */
export const matchIn =
  (trigrams: ReadonlyArray<string>) =>
  (ordinal: number): string =>
    trigrams.flatMap(tokensIn(blockOf(ordinal).toString(36))).join(' AND ')
