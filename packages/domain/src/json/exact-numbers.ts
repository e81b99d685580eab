// RFC 8259 §6: readers of JSON store a number as a double (IEEE 754), and write another number where it does not fit.
import { escapeStep, maxReported } from '../codec/fault.js'

// A double represents any 15 digits with an exponent of two digits. Matches within strings cost time only.
const suspicious = /(?:^|[^\d.])[\d.]{16}|[eE][-+]?\d{3}/
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[-+\d.eE]*/g
const numberParts = /^(-?)(\d+)\.?(\d*)[eE]?([-+]?\d*)$/
const digitParts = /^0*(\d*[1-9])?(0*)$/

// The number in one form: sign, digits without zeros at either end, and the power of ten of the last digit.
const decimalOf = (text: string): string =>
  text.replace(numberParts, (_, sign: string, whole: string, fraction: string, exponent: string) => {
    const [, digits, zeros = ''] = digitParts.exec(whole + fraction) ?? []
    return digits === undefined ? '0' : `${sign}${digits}e${Number(exponent) - fraction.length + zeros.length}`
  })

/** Whether a JSON number, read as a double and written again, keeps the value of its text; -0 is written as 0. */
export const isExactNumber = (text: string): boolean => {
  if (!suspicious.test(text)) return true
  const written = String(Number(text))
  return written === text || decimalOf(written) === decimalOf(text)
}

const maxPointerLength = 128

// The pointer to a value, or to its parent where a name in the path is too long to report.
type Place = { readonly pointer: string; readonly isCut: boolean }

const inside = ({ pointer, isCut }: Place, name: string): Place => {
  const longer = isCut || name.length > maxPointerLength ? '' : `${pointer}/${escapeStep(name)}`
  return longer === '' || longer.length > maxPointerLength
    ? { pointer, isCut: true }
    : { pointer: longer, isCut: false }
}

const membersOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

// The second value is the first one with a string in place of each number that changes. The search stops at the
// reported maximum.
const placesOf = (
  found: ReadonlyArray<string>,
  value: unknown,
  marked: unknown,
  place: Place,
): ReadonlyArray<string> => {
  if (typeof value === 'number')
    return typeof marked !== 'string' || found.includes(place.pointer) ? found : [...found, place.pointer]
  const members = new Map(membersOf(marked))
  return membersOf(value).reduce(
    (sum, [name, child]) =>
      sum.length > maxReported ? sum : placesOf(sum, child, members.get(name), inside(place, name)),
    found,
  )
}

/** Pointers (RFC 6901) to the numbers of a JSON text that change when it is read and written, or to their parents. */
export const changedNumbers = (text: string, value: unknown): ReadonlyArray<string> => {
  if (!suspicious.test(text)) return []
  const marked = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') || isExactNumber(token) ? token : `"${token}"`,
  )
  return marked === text ? [] : placesOf([], value, JSON.parse(marked), { pointer: '', isCut: false })
}
