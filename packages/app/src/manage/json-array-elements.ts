// RFC 8259 §2 and §7: the characters that determine the end of an element; an escape includes the escaped character

const marks = /\\[^]|[\\"[\]{},]/g

const step: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }

type Splitter = {
  /** The texts of the elements that end in the chunk. */
  readonly split: (chunk: string) => ReadonlyArray<string>
  readonly isComplete: () => boolean
}

const splitter = (): Splitter => {
  let depth = 0
  let begun = false
  let quoted = false
  let element = ''
  let buffered = ''
  // Whether an element, or the part before the first one, ends at the mark.
  const endsAt = (mark: string): boolean => {
    if (mark === '"') quoted = !quoted
    if (quoted || mark.length > 1) return false
    const before = depth
    depth += step[mark] ?? 0
    begun ||= depth > 0
    return Math.min(before, depth) === 0 || (depth === 1 && mark === ',')
  }
  const split = (chunk: string): ReadonlyArray<string> => {
    const text = buffered + chunk
    const ended = new Array<string>()
    let from = 0
    buffered = ''
    for (const { 0: mark, index } of text.matchAll(marks)) {
      if (mark === '\\') buffered = mark
      else if (endsAt(mark)) {
        ended.push(element + text.slice(from, index))
        ;[element, from] = ['', index + 1]
      }
    }
    element += text.slice(from, text.length - buffered.length)
    return ended.filter((each) => each.trim() !== '')
  }
  return { split, isComplete: () => begun && depth === 0 }
}

/** The elements of a JSON array in chunks, in the memory of one element; throws when the array is cut off. */
export async function* jsonArrayElements(chunks: AsyncIterable<string>): AsyncGenerator {
  const { split, isComplete } = splitter()
  for await (const chunk of chunks) for (const element of split(chunk)) yield JSON.parse(element)
  if (!isComplete()) throw new Error('the JSON array is cut off')
}
