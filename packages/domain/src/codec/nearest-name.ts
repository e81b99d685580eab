type Row = ReadonlyArray<number>

// The row of Levenshtein distances for one more code unit, from the row before.
const nextRow = (row: Row, unit: string, other: string): Row => {
  const left = { distance: 0, above: 0 }
  return row.map((above, at) => {
    const replaced = left.above + (other[at - 1] === unit ? 0 : 1)
    left.distance = at === 0 ? above + 1 : Math.min(replaced, above + 1, left.distance + 1)
    left.above = above
    return left.distance
  })
}

const rowAtStart = (other: string): Row => Array.from({ length: other.length + 1 }, (_, at) => at)

// UTF-16 code units, as the lengths of texts are.
const unitsOf = (text: string): ReadonlyArray<string> => text.split('')

const tooFar: Row = []

// A distance is at least the least one of any row, so that most rows are never made, whatever a stranger sends.
const distanceWithin = (limit: number, one: string, other: string): number | undefined =>
  unitsOf(one).reduce(
    (row, unit) => (Math.min(...row) > limit ? tooFar : nextRow(row, unit, other)),
    rowAtStart(other),
  )[other.length]

const farthest = (name: string): number => Math.min(4, Math.max(2, name.length / 3))

/**
 * The nearest of the known names, within a third of its length, and at most four changes; undefined for a word that is
 * like none. A distance is at least the difference of the lengths, so that most names cost no more than to compare these.
 */
export const nearestName = (word: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .filter((name) => Math.abs(word.length - name.length) <= farthest(name))
    .flatMap((name) => {
      const away = distanceWithin(farthest(name), word, name)
      return away === undefined || away > farthest(name) ? [] : [{ name, away }]
    })
    .sort((one, other) => one.away - other.away)[0]?.name
