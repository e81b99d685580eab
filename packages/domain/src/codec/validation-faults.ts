import type * as t from 'io-ts'
import type { Fault } from './fault.js'
import { fault } from './fault.js'
import { isRuleId } from './rule-texts.js'

const brokenRule = (error: t.ValidationError): Fault['rule'] => {
  const named = error.message ?? error.context.at(-1)?.type.name ?? ''
  return isRuleId(named) ? named : 'json-object'
}

// Because io-ts reporters print the rejected value, only the path and the rule are taken from its errors.
/** The faults of a member's value, told at the member. */
export const validationFaults =
  (member: string) =>
  (errors: t.Errors): ReadonlyArray<Fault> =>
    errors.map((error) =>
      fault(brokenRule(error))(member, ...error.context.map((entry) => entry.key).filter((key) => key !== '')),
    )
