/** RFC 3339, in whole seconds and UTC; a number that is no time, as it is. */
export const isoTime = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return Number.isNaN(date.getTime()) ? String(seconds) : date.toISOString().replace('.000Z', 'Z')
}
