// The row of Levenshtein distances for one more character, from the row before.
const nextRow = (row: ReadonlyArray<number>, character: string, other: string): ReadonlyArray<number> => {
  const left = { distance: 0, above: 0 }
  return row.map((above, at) => {
    const replaced = left.above + (other[at - 1] === character ? 0 : 1)
    left.distance = at === 0 ? above + 1 : Math.min(replaced, above + 1, left.distance + 1)
    left.above = above
    return left.distance
  })
}

const rowAtStart = (other: string): ReadonlyArray<number> => Array.from({ length: other.length + 1 }, (_, at) => at)

const distance = (one: string, other: string): number =>
  Array.from({ length: one.length }, (_, at) => one.charAt(at)).reduce(
    (row, character) => nextRow(row, character, other),
    rowAtStart(other),
  )[other.length] ?? 0

const farthest = (name: string): number => Math.max(2, name.length / 3)

// A distance is at least the difference of the lengths, so that most names cost nothing.
const isAsLong = (word: string, name: string): boolean => Math.abs(word.length - name.length) <= farthest(name)

/** The nearest of the known names, within a third of its length; undefined for a word that is like none. */
export const nearestName = (word: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .filter((name) => isAsLong(word, name))
    .map((name) => ({ name, away: distance(word, name) }))
    .filter(({ name, away }) => away <= farthest(name))
    .sort((one, other) => one.away - other.away)[0]?.name
