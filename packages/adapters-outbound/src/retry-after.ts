// RFC 9110 §5.6.7: the three forms of a date. The parser would take much else, and the last form for local time.
const dateForm = /^[A-Z][a-z]{2,8},? [\w :-]+$/

const dateOf = (text: string): number =>
  dateForm.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN

/** RFC 9110 §10.2.3: seconds from the time on, which is in milliseconds; undefined when it says nothing. */
export const retryAfter = (value: string, at: number): number | undefined => {
  const text = value.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((dateOf(text) - at) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, seconds))
}
