/** Texts that are kept, and the characters of the longest. */
const mostTexts = 1_000
const longestText = 4_096

/** The same function of a text, asked once for each of the texts that come again and again. */
export const keptByText = <Value>(read: (text: string) => Value): ((text: string) => Value) => {
  const kept = new Map<string, { readonly value: Value }>()
  return (text) => {
    const known = kept.get(text)
    if (known !== undefined) return known.value
    const value = read(text)
    if (kept.size >= mostTexts) kept.clear()
    if (text.length <= longestText) kept.set(text, { value })
    return value
  }
}
