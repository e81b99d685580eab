// RFC 9110 §5.6.7: the three forms of a date. Date.parse accepts others, and reads the last form as local time.
const dateForm = /^[A-Z][a-z]{2,8},? [\w :-]+$/

const dateOf = (text: string): number =>
  dateForm.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN

/** RFC 9110 §10.2.3: seconds from `at`, which is in milliseconds; undefined for an invalid value. */
export const retryAfter = (value: string, at: number): number | undefined => {
  const text = value.trim()
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((dateOf(text) - at) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, seconds))
}
