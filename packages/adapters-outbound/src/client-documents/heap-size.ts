// What follows one of these characters in a JSON text is a value with a place of its own in memory.
const beginsValue = /[{[,:]/g

const perValue = 48
const perEntry = 1_024

/** About how many bytes a parsed JSON text takes in memory, with its URL and the rest of its entry. */
export const heapSize = (text: string): number =>
  perEntry + 2 * text.length + perValue * (text.match(beginsValue)?.length ?? 0)
