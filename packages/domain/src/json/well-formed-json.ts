import * as E from 'fp-ts/lib/Either.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { type InvalidRequest, invalidBody, invalidRequest } from '../errors.js'
import { changedNumbers } from './exact-numbers.js'
import { type Fault, reportedFaults } from '../codec/fault.js'
import { maxDepth } from '../codec/json-object.js'
import { ruleTexts } from '../codec/rule-texts.js'

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
