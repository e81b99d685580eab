// What the page of a rule says: an example, the members that can violate it, and the standard that imposes it.
import type { RuleId } from '../kernel/all-rules.js'
import type { Fault } from '../kernel/faults.js'
import { anyFault } from '../kernel/refusals.js'
import type { RuleExample } from './example.js'
import { keyExamples } from './key-examples.js'
import { documentExamples, operatorExamples, sessionExamples, signedBodyExamples } from './other-examples.js'
import { registrationExamples } from './registration-examples.js'
import { uriExamples, valueExamples } from './value-examples.js'

export type { ExampleRequest, RuleExample } from './example.js'
export { findPlaces } from './places.js'
export type { ReferencePart } from './standards.js'
export { referenceParts } from './standards.js'

/** An example of every rule: a rule without one does not compile. */
export const ruleExamples: Readonly<Record<RuleId, RuleExample>> = {
  ...valueExamples,
  ...uriExamples,
  ...keyExamples,
  ...registrationExamples,
  ...sessionExamples,
  ...documentExamples,
  ...operatorExamples,
  ...signedBodyExamples,
}

/** The fault of the bad example. */
export const exampleFault = (rule: RuleId): Fault => anyFault(rule)(...ruleExamples[rule].at.split('/').slice(1))
