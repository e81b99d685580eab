import * as O from 'fp-ts/lib/Option.js'
import {
  type RuleBook,
  type RuleContext,
  type ValidatedMetadata,
  allRules,
  knownPrivateUseSchemes,
  validateClientMetadata,
} from '@clientele/domain/client'
import type { SentMetadata as SentRegistration } from '@clientele/domain/registration'

export const secretLength = 43

const service = {
  fetchesSectorIdentifiers: true,
  privateUseSchemes: new Set<string>(knownPrivateUseSchemes),
  isSupported: () => true,
  replacesWebType: false,
  takesPrivateHttp: false,
}

/** A client of the operator, without a software statement. */
export const ruleContext: RuleContext = {
  secretLength,
  registeredBy: 'master',
  statementFacts: undefined,
  invalid: {},
  ...service,
}

/** The rules of the standards, for a service that fetches sector identifiers and has no policy. */
export const standardRules: RuleBook = { rules: allRules, ...service }

/** The effective metadata of a body, and all of its faults by the rules of the standards. */
export const validate = (body: Readonly<Record<string, unknown>>): Pick<ValidatedMetadata, 'metadata' | 'faults'> => {
  const { metadata, faults } = validateClientMetadata(allRules, ruleContext)(body)
  return { metadata, faults }
}

/** The input of a decoder: a body without a software statement. */
export const sent = (body: unknown): SentRegistration => ({
  body,
  statement: O.none,
  secretLength,
  registeredBy: 'master',
})
