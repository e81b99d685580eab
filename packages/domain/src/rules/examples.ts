import type { RuleId } from '../kernel/all-rules.js'
import type { Fault } from '../kernel/faults.js'
import { anyFault } from '../kernel/refusals.js'
import type { RuleExample } from './example.js'
import { keyExamples } from './key-examples.js'
import { documentExamples, operatorExamples, sessionExamples, signedBodyExamples } from './other-examples.js'
import { registrationExamples } from './registration-examples.js'
import { uriExamples } from './uri-examples.js'
import { valueExamples } from './value-examples.js'

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
