const nextRow = (above: ReadonlyArray<number>, character: string, word: string): ReadonlyArray<number> =>
  Array.from(word).reduce<ReadonlyArray<number>>(
    (row, other, index) => [
      ...row,
      Math.min((row[index] ?? 0) + 1, (above[index + 1] ?? 0) + 1, (above[index] ?? 0) + (character === other ? 0 : 1)),
    ],
    [(above[0] ?? 0) + 1],
  )

/** The Levenshtein distance. */
const distance = (one: string, other: string): number =>
  Array.from(one.slice(0, 80))
    .reduce<ReadonlyArray<number>>(
      (row, character) => nextRow(row, character, other),
      [0, ...Array.from(other, (_, index) => index + 1)],
    )
    .at(-1) ?? 0

/** The nearest known name, when it is near. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .map((name) => ({ name, away: distance(word, name) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 3))
    .sort((one, other) => one.away - other.away)[0]?.name

export const didYouMean = (word: string, known: ReadonlyArray<string>): string =>
  suggestion(word, known) || 'see clientele --help'

/** The question alone, and nothing where no known name is near. */
export const suggestion = (word: string, known: ReadonlyArray<string>, prefix = ''): string => {
  const name = nearest(word, known)
  return name === undefined ? '' : `did you mean ${prefix}${name}?`
}

/** A sentence with the question behind it, where there is one. */
export const withSuggestion = (sentence: string, question: string): string =>
  question === '' ? sentence : `${sentence}: ${question}`
