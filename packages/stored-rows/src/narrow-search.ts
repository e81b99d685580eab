// What the texts of a filter require of a client: the trigrams by which a store narrows a search.
import { type ClientFilter, foldedText, trigramsOf } from '@clientele/domain'

/** Each further one of a text makes a search more exact by little. */
const maxTrigrams = 16

/** Whether a filter asks for texts, which the columns do not have. */
export const asksForTexts = ({ q, software_id }: ClientFilter): boolean => q !== undefined || software_id !== undefined

/** Folded: each client that the filter chooses has them. */
export const textsOfFilter = ({ q, software_id }: ClientFilter): ReadonlyArray<string> =>
  [q, software_id].flatMap((text) => (text === undefined ? [] : [foldedText(text)]))

/** Trigrams that each client has which the filter chooses; none where its texts are shorter. */
export const requiredTrigrams = (filter: ClientFilter): ReadonlyArray<string> => [
  ...new Set(textsOfFilter(filter).flatMap((text) => trigramsOf(text).slice(0, maxTrigrams))),
]
