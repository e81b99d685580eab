// UTS #39 §4: two texts with one skeleton can be taken for each other.
import { confusableCharacters } from './confusable-characters.js'

const plainOf: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableCharacters).flatMap(([plain, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(parseInt(code, 16)), plain] as const),
  ),
)

// Beyond the data: letters that differ in some fonts only, in lower case.
const closeLetters: ReadonlyArray<readonly [RegExp, string]> = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1i|!]/g, 'l'],
  [/0/g, 'o'],
]

// RFC 5892 §2.7 and others: characters that take no place, and marks upon letters
const unseen = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

/** The text as its reader may see it, without marks, case and unseen characters. */
export const skeletonOf = (text: string): string => {
  const seen = text
    .normalize('NFKD')
    .replace(unseen, '')
    .replace(/\P{ASCII}/gu, (each) => plainOf.get(each) ?? each)
  return closeLetters.reduce((left, [close, plain]) => left.replace(close, plain), seen.toLowerCase())
}

/** The skeletons of its words: of what stands between spaces and punctuation. */
export const skeletonsOfWords = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\p{Z}\p{P}\p{S}\p{Cc}]+/u)
    .map(skeletonOf)
    .filter((word) => word !== '')
