// Where a page ends: opaque to clients, so that a store may change what it counts.
const prefix = 'p1-'
const pattern = /^p1-([0-9a-z]{1,11})$/

export const positionText = (position: number): string => `${prefix}${position.toString(36)}`

/** The inverse of positionText; undefined for any other text. */
export const positionOf = (text: string): number | undefined => {
  const [, digits] = pattern.exec(text) ?? []
  const position = digits === undefined ? NaN : parseInt(digits, 36)
  return Number.isSafeInteger(position) && positionText(position) === text ? position : undefined
}
