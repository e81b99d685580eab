import { distance } from 'fastest-levenshtein'

/** The nearest known name within a small distance. */
export const nearest = (word: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .map((name) => ({ name, away: distance(word.slice(0, 80), name) }))
    .filter(({ name, away }) => away <= Math.max(2, name.length / 3))
    .sort((one, other) => one.away - other.away)[0]?.name

/** The suggestion, or the text that lists the known names. */
export const didYouMean = (word: string, known: ReadonlyArray<string>, otherwise: string): string => {
  const name = nearest(word, known)
  return name === undefined ? otherwise : `did you mean ${name}?`
}
