import { documentRules } from './rule-texts/documents.js'
import { keyRules } from './rule-texts/keys-and-algorithms.js'
import { operatorRules } from './rule-texts/operators.js'
import { registrationRules } from './rule-texts/registration.js'
import { sessionRules } from './rule-texts/sessions.js'
import { signedBodyRules } from './rule-texts/signed-bodies.js'
import { uriRules } from './rule-texts/uris.js'
import { valueRules } from './rule-texts/values.js'

export { type RuleText } from './rule-texts/rule-text.js'

/** All rules for input, by stable id. */
export const ruleTexts = {
  ...valueRules,
  ...uriRules,
  ...keyRules,
  ...registrationRules,
  ...sessionRules,
  ...documentRules,
  ...operatorRules,
  ...signedBodyRules,
}

export type RuleId = keyof typeof ruleTexts
