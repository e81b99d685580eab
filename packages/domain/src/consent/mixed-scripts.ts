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
