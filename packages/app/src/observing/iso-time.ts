/** The present time in ISO 8601, as text that is made once for each millisecond. */
export const createIsoTime = (): (() => string) => {
  let last = Number.NaN
  let text = ''
  return () => {
    const now = Date.now()
    if (now !== last) {
      last = now
      text = new Date(now).toISOString()
    }
    return text
  }
}
