import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type Fault, escapeStep, maxReported, reportedFaults } from './faults.js'
import { isPlainObject, maxDepth, ownMember } from './json-object.js'
import { type InvalidRequest, invalidBody, invalidRequest } from './refusals.js'
import { metadataRules } from './rule-texts.js'

// The first flaw of a JSON text that was refused. Accepted texts are not scanned.

/** A flaw: its offset in the text, in UTF-16 code units; where a name is repeated, its member (RFC 6901). */
type Flaw = { readonly offset: number; readonly what: string; readonly remedy: string; readonly pointer?: string }

const isValidText = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')
const isValidName = (name: string): boolean => isValidText(name) && name !== '__proto__'

const maxPointerLength = 128

// The pointer to a value, or to its parent where a name in the path is too long to report.
type Place = { readonly pointer: string; readonly isCut: boolean }

const top: Place = { pointer: '', isCut: false }

const inside = ({ pointer, isCut }: Place, name: string): Place => {
  const longer = isCut || name.length > maxPointerLength ? '' : `${pointer}/${escapeStep(name)}`
  return longer === '' || longer.length > maxPointerLength
    ? { pointer, isCut: true }
    : { pointer: longer, isCut: false }
}

// RFC 8259 §2: what may stand next
type Next = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma'

type Container = { readonly end: ']' | '}'; readonly names: Set<string>; step: string | number }

type Token = { readonly text: string; readonly isClosed: boolean; readonly offset: number }

type Scan = { readonly text: string; readonly open: Array<Container>; next: Next; flaw: Flaw | undefined }

// RFC 8259 §2, §3, §6, §7: blanks, a string as far as it is well-formed and the quotation mark at its end, a word or a
// number, or one character.
const tokens =
  /[ \t\n\r]+|"[^"\\\u0000-\u001F]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[^"\\\u0000-\u001F]*)*("?)|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?|[^]/g
const scalar = /^(?:true|false|null|-?\d.*)$/
const blank = /^[ \t\n\r]/

const expected: Readonly<Record<Exclude<Next, 'comma'>, string>> = {
  value: 'a value is expected',
  'first value': 'a value or ] is expected',
  name: 'the name of a member in double quotation marks is expected',
  'first name': 'the name of a member in double quotation marks or } is expected',
  colon: 'a colon is expected',
}

const expectation = ({ open, next }: Scan): string => {
  const end = open.at(-1)?.end
  if (next !== 'comma') return expected[next]
  return end === undefined ? 'nothing more is expected' : `a comma or ${end} is expected`
}

const syntax = (offset: number, remedy: string): Flaw => ({ offset, what: 'is not valid JSON', remedy })

const unexpected = (scan: Scan, { text, offset }: Token): Flaw => {
  if (offset === 0 && text === '\uFEFF') return syntax(offset, 'leave out the byte order mark')
  if (text === '/') return syntax(offset, 'JSON has no comments: leave it out')
  const isAfterComma = (scan.next === 'name' || scan.next === 'value') && text === scan.open.at(-1)?.end
  return syntax(offset, isAfterComma ? `leave out the comma before ${text}` : expectation(scan))
}

const unsound = (offset: number): Flaw => ({
  offset,
  what: 'holds a lone surrogate, a NUL character or a member named __proto__',
  remedy: 'leave it out',
})

const openString = ({ text }: Scan, end: number): Flaw => {
  if (end === text.length) return syntax(end, 'a string does not end')
  return text[end] === '\\'
    ? syntax(end, 'a backslash must begin an escape: \\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits')
    : syntax(end, 'a string must not hold a line break or another control character: escape it')
}

const pointerIn = ({ open }: Scan): string => open.reduce((place, { step }) => inside(place, String(step)), top).pointer

const takeName = (scan: Scan, name: string, offset: number): Flaw | undefined => {
  const container = scan.open.at(-1)
  if (!isValidName(name) || container === undefined) return unsound(offset)
  container.step = name
  // RFC 8259 §4: names within an object should be unique; readers treat repeated names differently.
  if (container.names.has(name))
    return { offset, what: 'repeats the name of a member', remedy: 'write each once', pointer: pointerIn(scan) }
  container.names.add(name)
  scan.next = 'colon'
  return undefined
}

const takeString = (scan: Scan, { text, isClosed, offset }: Token): Flaw | undefined => {
  if (!isClosed) return openString(scan, offset + text.length)
  const value = String(JSON.parse(text))
  if (scan.next.endsWith('name')) return takeName(scan, value, offset)
  scan.next = 'comma'
  return isValidText(value) ? undefined : unsound(offset)
}

const begin = (scan: Scan, { text, offset }: Token): Flaw | undefined => {
  if (scan.open.length >= maxDepth)
    return { offset, what: `is nested deeper than ${maxDepth} levels`, remedy: 'flatten it' }
  const isObject = text === '{'
  scan.open.push({ end: isObject ? '}' : ']', names: new Set(), step: isObject ? '' : 0 })
  scan.next = isObject ? 'first name' : 'first value'
  return undefined
}

const takeValue = (scan: Scan, token: Token): Flaw | undefined => {
  if (token.text.startsWith('"')) return takeString(scan, token)
  if (token.text === '{' || token.text === '[') return begin(scan, token)
  if (!scalar.test(token.text)) return unexpected(scan, token)
  scan.next = 'comma'
  return undefined
}

const takeComma = (scan: Scan, token: Token): Flaw | undefined => {
  const container = scan.open.at(-1)
  if (token.text !== ',' || container === undefined) return unexpected(scan, token)
  if (typeof container.step === 'number') container.step += 1
  scan.next = container.end === '}' ? 'name' : 'value'
  return undefined
}

const takeColon = (scan: Scan, token: Token): Flaw | undefined => {
  if (token.text !== ':') return unexpected(scan, token)
  scan.next = 'value'
  return undefined
}

const mayEnd: ReadonlyArray<Next> = ['comma', 'first value', 'first name']

// Takes the token, or tells why it must not stand there.
const take = (scan: Scan, token: Token): Flaw | undefined => {
  if (blank.test(token.text)) return undefined
  if (mayEnd.includes(scan.next) && token.text === scan.open.at(-1)?.end) {
    scan.open.pop()
    scan.next = 'comma'
    return undefined
  }
  switch (scan.next) {
    case 'value':
    case 'first value':
      return takeValue(scan, token)
    case 'name':
    case 'first name':
      return token.text.startsWith('"') ? takeString(scan, token) : unexpected(scan, token)
    case 'colon':
      return takeColon(scan, token)
    case 'comma':
      return takeComma(scan, token)
  }
}

const atEnd = (scan: Scan): Flaw | undefined =>
  scan.open.length === 0 && scan.next === 'comma'
    ? undefined
    : syntax(scan.text.length, `${expectation(scan)}, and the text ends`)

/** The line and the column of an offset in a text, in characters, each from 1. */
export const lineAndColumn = (text: string, offset: number): { readonly line: number; readonly column: number } => {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1) ?? '').replace(/[^]/gu, '.').length + 1 }
}

/** What is wrong with a JSON text, as the end of a sentence about it; the value is never told. */
type JsonFlaw = {
  readonly offset: number
  readonly line: number
  readonly text: string
  readonly pointer: string | undefined
}

/** The first flaw of a text that is not JSON, or JSON that readers understand differently. Linear in its length. */
export const flawIn = (text: string): JsonFlaw | undefined => {
  const scan: Scan = { text, open: [], next: 'value', flaw: undefined }
  // A list of all tokens of a long text would take much memory.
  text.replace(tokens, (token, quote: string | undefined, offset: number) => {
    scan.flaw ??= take(scan, { text: token, isClosed: quote === '"', offset })
    return ''
  })
  const flaw = scan.flaw ?? atEnd(scan)
  if (flaw === undefined) return undefined
  const { offset, what, remedy, pointer } = flaw
  const { line, column } = lineAndColumn(text, offset)
  return { offset, line, text: `${what} at line ${line}, column ${column}: ${remedy}`, pointer }
}

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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const membersOf = (value: unknown): ReadonlyArray<readonly [string, unknown]> =>
  isObject(value) ? Object.entries(value) : []

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

const membersThat = (isRead: (name: string) => boolean, value: unknown): unknown =>
  isPlainObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => isRead(name))) : value

/** Pointers (RFC 6901) to the numbers of a JSON text that change when it is read and written, or to their parents. */
const changedNumbers = (text: string, value: unknown, isRead: (name: string) => boolean): ReadonlyArray<string> => {
  if (!suspicious.test(text)) return []
  const marked = text.replace(stringOrNumber, (token) =>
    token.startsWith('"') || isExactNumber(token) ? token : `"${token}"`,
  )
  return marked === text ? [] : placesOf([], membersThat(isRead, value), JSON.parse(marked), top)
}

const allButColons = /(?:[^":]+|"[^"\\]*(?:\\.[^"\\]*)*")+/g

// JSON.parse drops the first of two equal names without an error, so that members are counted: one colon each, outside
// of strings.
const membersInText = (text: string): number => text.replace(allButColons, '').length

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
type JsonFault = {
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
  const { text: description } = metadataRules.number
  const faults = reportedFaults(
    RNEA.map((pointer: string): Fault => ({ pointer, rule: 'number', description }))(pointers),
  )
  return { text: `has a number at ${pointers[0] || 'its top'} that changes when it is read: write a string`, faults }
}

const every = (): boolean => true

/**
 * A JSON text as one value that every reader understands alike, or its first fault. Linear in the length of the text. Numbers
 * may change in the members of the whole that are not read.
 */
export const readJson = (text: string, isRead: (name: string) => boolean = every): E.Either<JsonFault, unknown> => {
  const value = parsed(text)
  if (E.isLeft(value)) return value
  const changed = changedNumbers(text, value.right, isRead)
  return RA.isNonEmpty(changed) ? E.left(changedAt(changed)) : value
}

const refusal = ({ text, faults }: JsonFault): InvalidRequest =>
  faults === undefined ? invalidRequest(`The body ${text}`) : invalidBody(faults)

/** The JSON text of a body as one value that every reader understands alike. */
export const parseWellFormedJson = (
  text: string,
  isRead?: (name: string) => boolean,
): E.Either<InvalidRequest, unknown> => {
  const value = readJson(text, isRead)
  return E.isLeft(value) ? E.left(refusal(value.left)) : value
}

/**
 * A JSON text as one value; inexact numbers are accepted, because it is the payload of a token, which is not stored.
 */
export const parseTokenJson = parsed

/**
 * RFC 7396 §2: the target with the members of the patch; null removes a member, and an object changes the members of the
 * object there. A patch that is no object replaces the target. Total for all values without cycles.
 */
export const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isPlainObject(patch)) return patch
  const present = isPlainObject(target) ? target : {}
  const names = [...new Set([...Object.keys(present), ...Object.keys(patch)])]
  const merged = (name: string): unknown =>
    Object.hasOwn(patch, name) ? mergePatch(ownMember(present, name), patch[name]) : present[name]
  return Object.fromEntries(names.filter((name) => ownMember(patch, name) !== null).map((name) => [name, merged(name)]))
}
