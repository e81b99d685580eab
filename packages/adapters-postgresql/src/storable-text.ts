// PostgreSQL has no U+0000 in text, and the driver would change an unpaired surrogate. Such text is in no row.

export const isStorable = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every(isStorable)
    : typeof value !== 'string' || (value.isWellFormed() && !value.includes('\u0000'))
