const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const plain = (_: string, value: unknown): unknown => {
  if (value instanceof Map || value instanceof Set) return [...value]
  return isRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value
}

const unordered = (key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? sorted([...value]) : plain(key, value)

/** The same text for the same contents; their members may have any order, and undefined ones may be absent. */
export const textOf = (value: unknown): string => JSON.stringify(value, plain)

/** The same text also for maps and sets whose entries were added in another order. */
export const unorderedTextOf = (value: unknown): string => JSON.stringify(value, unordered)

/** The values in an order that depends on their contents only. */
export const sorted = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> =>
  values
    .map((value) => ({ value, text: textOf(value) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ value }) => value)
