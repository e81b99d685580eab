// PostgreSQL has no U+0000 in text, and the driver would change an unpaired surrogate. Such text is in no row.

export const isStorable = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isStorable)
    : typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000'))

/** The values that a row can have, of those to look for; undefined where no row can have them. */
export const findable = (values: ReadonlyArray<unknown>): ReadonlyArray<unknown> | undefined => {
  if (values.every(isStorable)) return values
  const found = values.map((value: unknown): unknown => (Array.isArray(value) ? value.filter(isStorable) : value))
  return found.every(isStorable) ? found : undefined
}
