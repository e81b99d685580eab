const maxTexts = 1_000
const maxTextLength = 4_096

/** The same function, computed once for each of the recently used texts. */
export const memoizeByText = <Value>(compute: (text: string) => Value): ((text: string) => Value) => {
  const computed = new Map<string, { readonly value: Value }>()
  return (text) => {
    const known = computed.get(text)
    if (known !== undefined) return known.value
    const value = compute(text)
    if (computed.size >= maxTexts) computed.clear()
    if (text.length <= maxTextLength) computed.set(text, { value })
    return value
  }
}
