import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type InvalidRequest, invalidBody, invalidRequest } from '../errors.js'
import { type Fault, reportedFaults, escapeStep, maxReported } from '../codec/fault.js'
import { maxDepth } from '../codec/json-object.js'
import { ruleTexts } from '../codec/rule-texts.js'

// RFC 8259 §6: readers of JSON store a number as a double (IEEE 754), and write another number where it does not fit.
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

const allButColons = /(?:[^":]+|"[^"\\]*(?:\\.[^"\\]*)*")+/g

// JSON.parse drops the first of two equal names without an error, so that members are counted: one colon each, outside
// of strings.
const membersInText = (text: string): number => text.replace(allButColons, '').length

const isValidText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')
const isValidName = (name: string): boolean => isValidText(name) && name !== '__proto__'

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

type Flaw = 'too deep' | 'unsound'

const plus =
  (depth: number) =>
  (sum: number | Flaw, child: unknown): number | Flaw => {
    if (typeof sum !== 'number') return sum
    const members = survey(child, depth)
    return typeof members === 'number' ? sum + members : members
  }

// The number of members, or a flaw. Each object is visited once, because bodies may be large.
const survey = (value: unknown, depth: number): number | Flaw => {
  if (typeof value === 'string') return isValidText(value) ? 0 : 'unsound'
  if (!isObject(value)) return 0
  if (depth === 0) return 'too deep'
  if (Array.isArray(value)) return value.reduce<number | Flaw>(plus(depth - 1), 0)
  const names = Object.keys(value)
  const sum = plus(depth - 1)
  return names.every(isValidName)
    ? names.reduce<number | Flaw>((members, name) => sum(members, value[name]), names.length)
    : 'unsound'
}

const refuse = (description: string): E.Either<InvalidRequest, never> => E.left(invalidRequest(description))

const refuseUnsound = (text: string, value: unknown): E.Either<InvalidRequest, unknown> => {
  const members = survey(value, maxDepth)
  if (members === 'too deep') return refuse('The JSON body is nested deeper than 32 levels: flatten it')
  if (members === 'unsound')
    return refuse('The JSON body holds a lone surrogate, a NUL character or a member named __proto__: leave it out')
  // RFC 8259 §4: names within an object should be unique; readers treat repeated names differently
  return members === membersInText(text)
    ? E.right(value)
    : refuse('The JSON body repeats the name of a member: send each once')
}

/**
 * A JSON text as one value; inexact numbers are accepted, because it is the payload of a token, which is not stored.
 */
export const parseTokenJson = (text: string): E.Either<InvalidRequest, unknown> => {
  const parsed = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => invalidRequest('The body is not valid JSON: send one object in UTF-8, without a byte order mark'),
  )
  return E.isLeft(parsed) ? parsed : refuseUnsound(text, parsed.right)
}

const description = ruleTexts.number.text

const refuseChanged = (pointers: RNEA.ReadonlyNonEmptyArray<string>): InvalidRequest =>
  invalidBody(
    reportedFaults(RNEA.map((pointer: string): Fault => ({ pointer, rule: 'number', description }))(pointers)),
  )

/** A JSON text as one value that every reader understands alike, or its fault. Linear in the length of the text. */
export const parseWellFormedJson = (text: string): E.Either<InvalidRequest, unknown> => {
  const parsed = parseTokenJson(text)
  if (E.isLeft(parsed)) return parsed
  const changed = changedNumbers(text, parsed.right)
  return RA.isNonEmpty(changed) ? E.left(refuseChanged(changed)) : parsed
}
