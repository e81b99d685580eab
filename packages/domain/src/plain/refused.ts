// What is wrong, as plain objects.
import { type Fault as CoreFault, nameOfFault } from '../kernel/faults.js'
import { ownMember } from '../kernel/json-object.js'
import { type RuleText, metadataRules } from '../kernel/rule-texts.js'
import { referenceParts } from '../rules/standards.js'
import type { Fault, Refused } from './types.js'

// No rule is broken here but those of client metadata, so that a bundle has no texts of others.
const documentationOf = ({ rule }: CoreFault): Pick<Fault, 'documentation'> => {
  const { reference } = ownMember<RuleText>(metadataRules, rule) ?? { reference: '' }
  const uri = referenceParts(reference).find((part) => part.uri !== undefined)?.uri
  return uri === undefined ? {} : { documentation: uri }
}

const plainFault =
  (code: string) =>
  (found: CoreFault): Fault => ({
    code,
    text: found.description,
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

/** A refusal of the core. */
export const refused = ({ error, error_description = error, errors = [] }: Refusal): Refused => {
  const [first, ...more] = errors.map(plainFault(error))
  return { ok: false, faults: first === undefined ? [{ code: error, text: error_description }] : [first, ...more] }
}

type CallersFault = Pick<Fault, 'member' | 'pointer' | 'text'>

/** What the caller of a function gives, and must not. */
export const wrongCall = (first: CallersFault, ...more: ReadonlyArray<CallersFault>): Refused => {
  const told = (each: CallersFault): Fault => ({ code: 'server_error', ...each })
  return { ok: false, faults: [told(first), ...more.map(told)] }
}
