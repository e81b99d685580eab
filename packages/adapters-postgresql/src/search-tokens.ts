// The index of texts: each block of clients has the tokens of their trigrams. A search reads the clients of the blocks
// that have all tokens of its text, and judges them.
import { trigramsOf } from '@clientele/domain'

/** Ordinals of one block. The index is smaller with larger blocks, and a search reads more clients in vain. */
export const blockSize = 32

export const blockOf = (ordinal: number): number => Math.floor(ordinal / blockSize)

/** The last ordinal of a block. */
export const endOfBlock = (block: number): number => (block + 1) * blockSize - 1

/** The token of a block with more than maxTokens: every search reads its clients. */
const anyText = 0
/** So many are written within some tens of milliseconds; a block of common clients has 1,500. */
const maxTokens = 10_000

// FNV-1a of the characters, as PostgreSQL's integer. Trigrams may have one token: what it finds is judged by the texts.
const tokenOf = (trigram: string): number =>
  Array.from(trigram).reduce(
    (hash, character) => Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93),
    0x81_1c_9d_c5 | 0,
  )

export const tokensOf = (trigrams: ReadonlyArray<string>): ReadonlyArray<number> => [...new Set(trigrams.map(tokenOf))]

/** The tokens of a block, of the folded texts of its clients. */
export const tokensOfBlock = (texts: ReadonlyArray<string>): ReadonlyArray<number> => {
  const tokens = tokensOf(texts.flatMap(trigramsOf))
  return tokens.length <= maxTokens ? tokens : [anyText]
}
