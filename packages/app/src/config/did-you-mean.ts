import { nearestName } from '@clientele/domain/kernel'

/** The suggestion, or the text that lists the known names. */
export const didYouMean = (word: string, known: ReadonlyArray<string>, otherwise: string): string => {
  const name = nearestName(word.slice(0, 80), known)
  return name === undefined ? otherwise : `did you mean ${name}?`
}
