// RFC 9110 §5.6.7: the three forms of a date. Date.parse accepts others, and reads the last form as local time.
const dateForm = /^[A-Z][a-z]{2,8},? [\w :-]+$/

/** The time of an HTTP date, in milliseconds; NaN for any other text. */
export const httpDate = (text: string): number =>
  dateForm.test(text) ? Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`) : Number.NaN
