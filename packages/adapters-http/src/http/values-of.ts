/** All values of each name, so that a repeated one stays visible: URL Standard §5.1, in linear time. */
export const valuesOf = (text: string): Readonly<Record<string, ReadonlyArray<string>>> => {
  const values = new Map<string, Array<string>>()
  for (const [name, value] of new URLSearchParams(text)) {
    const known = values.get(name)
    if (known === undefined) values.set(name, [value])
    else known.push(value)
  }
  return Object.fromEntries(values)
}
