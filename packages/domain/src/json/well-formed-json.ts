import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type InvalidRequest, invalidBody, invalidRequest } from '../errors.js'
import { type Fault, reportedFaults, maxReported } from '../codec/fault.js'
import { maxDepth } from '../codec/json-object.js'
import { ruleTexts } from '../codec/rule-texts.js'
import { type Place, flawIn, inside, isValidName, isValidText, top } from './json-flaw.js'

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
  return marked === text ? [] : placesOf([], value, JSON.parse(marked), top)
}

const allButColons = /(?:[^":]+|"[^"\\]*(?:\\.[^"\\]*)*")+/g

// JSON.parse drops the first of two equal names without an error, so that members are counted: one colon each, outside
// of strings.
const membersInText = (text: string): number => text.replace(allButColons, '').length

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const plus =
  (depth: number) =>
  (sum: number | undefined, child: unknown): number | undefined => {
    const members = sum === undefined ? undefined : survey(child, depth)
    return sum === undefined || members === undefined ? undefined : sum + members
  }

// The number of members; undefined for a value that is too deep, or has texts that readers refuse. Each object is
// visited once, because bodies may be large.
const survey = (value: unknown, depth: number): number | undefined => {
  if (typeof value === 'string') return isValidText(value) ? 0 : undefined
  if (!isObject(value)) return 0
  if (depth === 0) return undefined
  if (Array.isArray(value)) return value.reduce<number | undefined>(plus(depth - 1), 0)
  const names = Object.keys(value)
  const sum = plus(depth - 1)
  return names.every(isValidName)
    ? names.reduce<number | undefined>((members, name) => sum(members, value[name]), names.length)
    : undefined
}

/** What is wrong with a JSON text, as the end of a sentence about it, and its faults where they have places. */
export type JsonFault = {
  readonly text: string
  readonly line?: number
  readonly faults?: RNEA.ReadonlyNonEmptyArray<Fault>
}

const noFlaw: JsonFault = { text: 'is not valid JSON' }

const faultIn = (text: string): JsonFault => {
  const flaw = flawIn(text)
  if (flaw?.pointer === undefined) return flaw ?? noFlaw
  const { pointer, line, text: description } = flaw
  return {
    text: description,
    line,
    faults: [{ pointer, rule: 'repeated-name', description: `The body ${description}` }],
  }
}

const parsed = (text: string): E.Either<JsonFault, unknown> => {
  const value = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => faultIn(text),
  )
  if (E.isLeft(value)) return value
  const members = survey(value.right, maxDepth)
  // RFC 8259 §4: names within an object should be unique; readers treat repeated names differently
  return members === membersInText(text) ? value : E.left(faultIn(text))
}

const changedAt = (pointers: RNEA.ReadonlyNonEmptyArray<string>): JsonFault => {
  const { text: description } = ruleTexts.number
  const faults = reportedFaults(
    RNEA.map((pointer: string): Fault => ({ pointer, rule: 'number', description }))(pointers),
  )
  return { text: `has a number at ${pointers[0] || 'its top'} that changes when it is read: write a string`, faults }
}

/** A JSON text as one value that every reader understands alike, or its first fault. Linear in the length of the text. */
export const readJson = (text: string): E.Either<JsonFault, unknown> => {
  const value = parsed(text)
  if (E.isLeft(value)) return value
  const changed = changedNumbers(text, value.right)
  return RA.isNonEmpty(changed) ? E.left(changedAt(changed)) : value
}

const refusal = ({ text, faults }: JsonFault): InvalidRequest =>
  faults === undefined ? invalidRequest(`The body ${text}`) : invalidBody(faults)

/** The JSON text of a body as one value that every reader understands alike. */
export const parseWellFormedJson = (text: string): E.Either<InvalidRequest, unknown> => {
  const value = readJson(text)
  return E.isLeft(value) ? E.left(refusal(value.left)) : value
}

/**
 * A JSON text as one value; inexact numbers are accepted, because it is the payload of a token, which is not stored.
 */
export const parseTokenJson = parsed
