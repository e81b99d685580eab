// Names and hosts that look like others.
import { confusableCharacters } from './confusable-characters.js'

// UTS #39 §4: two texts with one skeleton can be taken for each other.

const plainOf: ReadonlyMap<string, string> = new Map(
  Object.entries(confusableCharacters).flatMap(([plain, codes]) =>
    codes.split(' ').map((code) => [String.fromCodePoint(parseInt(code, 16)), plain] as const),
  ),
)

// Beyond the data: letters, digits and signs that differ in some fonts only, in lower case.
const closeLetters: ReadonlyArray<readonly [RegExp, string]> = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/[1i|!]/g, 'l'],
  [/0/g, 'o'],
  [/\$/g, 's'],
  [/@/g, 'a'],
]

// RFC 5892 §2.7 and others: characters that take no place, and marks upon letters
const unseen = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(unseen, '')
    .replace(/\P{ASCII}/gu, (each) => plainOf.get(each) ?? each)

const withCloseLetters = (text: string): string =>
  closeLetters.reduce((left, [close, letter]) => left.replace(close, letter), text.toLowerCase())

/** The text as its reader may see it, without marks, case and unseen characters. */
export const skeletonOf = (text: string): string => withCloseLetters(plain(text))

const separators = /[\p{Z}\p{P}\p{S}\p{Cc}]+/u

const strokes = /[|!]/g
const lastStrokes = /[|!](?=[\p{Z}\p{Cc}]|$)/gu

/**
 * The skeletons of its words, in the ways in which it may be read: all signs that look like letters are letters; all but the
 * last of a word, such as that of P@yPal!; all but strokes; those in circles are, and `|` stands between words; or all signs do.
 */
export const readingsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  [
    skeletonOf(text).split(separators),
    skeletonOf(plain(text).replace(lastStrokes, ' ')).split(separators),
    skeletonOf(plain(text).replace(strokes, ' ')).split(separators),
    plain(text).split(separators).map(withCloseLetters),
    text.split(separators).map(skeletonOf),
  ].map((words) => words.filter((word) => word !== ''))

// UTS #39 §5.1 and §5.2: words that mix scripts. Names of several words may be in several scripts.

const scripts: ReadonlyArray<readonly [string, RegExp]> = [
  ['Latin', /\p{Script=Latin}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Georgian', /\p{Script=Georgian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  // UTS #39 §5.2: those that are written together, also with Latin
  [
    'East Asian',
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}]/u,
  ],
]

const scriptOf = (letter: string): string => scripts.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'other'

const isMixed = (word: string): boolean => {
  const found = new Set(Array.from(word, scriptOf))
  found.delete('East Asian')
  return found.size > 1
}

/** Whether a word of the text has letters of scripts that are not written together. */
export const mixesScripts = (text: string): boolean =>
  text
    .normalize('NFKC')
    .split(/[^\p{L}]+/u)
    .some(isMixed)
