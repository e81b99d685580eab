// What is wrong, as plain objects.
import * as E from 'fp-ts/lib/Either.js'
import { type Fault as CoreFault, nameOfFault } from '../kernel/faults.js'
import { isPlainObject } from '../kernel/json-object.js'
import { ruleTexts } from '../kernel/rule-texts.js'
import { referenceParts } from '../rules/standards.js'
import type { Fault, Refused } from './types.js'

const documentationOf = ({ rule }: CoreFault): Pick<Fault, 'documentation'> => {
  const uri = referenceParts(ruleTexts[rule].reference).find((part) => part.uri !== undefined)?.uri
  return uri === undefined ? {} : { documentation: uri }
}

// Settings of our service, which have hyphens in their names, are none of the caller's: what the client can do remains.
const settingOfService = /(?:, or ask the operator| \(the operator sets)[^,]* [a-z]+-[a-z-]+\)?$/

const ownText = (text: string): string => text.replace(settingOfService, '')

const plainFault =
  (code: string) =>
  (found: CoreFault): Fault => ({
    code,
    text: ownText(found.description),
    // A fault of the body as a whole names no member.
    ...(found.pointer === '' ? {} : { member: nameOfFault(found), pointer: found.pointer }),
    rule: found.rule,
    ...documentationOf(found),
  })

type Refusal = {
  readonly error: string
  readonly error_description?: string
  readonly errors?: ReadonlyArray<CoreFault>
}

/** A refusal of the core, and the scope values that a token needs instead. */
export const refused = (
  { error, error_description = error, errors = [] }: Refusal,
  needed: ReadonlyArray<string> = [],
): Refused => {
  const [first, ...more] = errors.map(plainFault(error))
  if (first !== undefined) return { ok: false, faults: [first, ...more] }
  const fault = { code: error, text: ownText(error_description) }
  return { ok: false, faults: [needed.length === 0 ? fault : { ...fault, needed }] }
}

type CallersFault = Pick<Fault, 'member' | 'pointer' | 'text'>

/** What the caller of a function gives, and must not. */
export const wrongCall = (first: CallersFault, ...more: ReadonlyArray<CallersFault>): Refused => {
  const told = (each: CallersFault): Fault => ({ code: 'server_error', ...each })
  return { ok: false, faults: [told(first), ...more.map(told)] }
}

export const wrong = (member: string, text: string): Refused => wrongCall({ member, text: `${member} ${text}` })

export type Given = Readonly<Record<string, unknown>>

/** An argument that is an object with these members alone: another one is misspelt, and would count for nothing. */
export const readObject = (
  argument: string,
  value: unknown,
  names: ReadonlyArray<string>,
): E.Either<Refused, Given> => {
  const known = names.join(', ')
  if (!isPlainObject(value)) return E.left(wrong(argument, `must be an object with ${known}`))
  const unknown = Object.keys(value).find((name) => !names.includes(name))
  if (unknown === undefined) return E.right(value)
  return E.left(wrong(unknown, `is unknown in ${argument}: leave it out, or write one of ${known}`))
}
