import * as fc from 'fast-check'
import { runParameters } from '../property-runs.js'
import { authorizationLaws } from './authorization-laws.js'
import type { AuthorizationRules } from './authorization-rules.js'
import type { Law } from './law.js'

/** Parameters of fast-check: `numRuns`, `seed`, `path` … PROPERTY_RUNS and PROPERTY_SEED are the defaults. */
export type CheckParameters = fc.Parameters<unknown>

export type BrokenLaw<Rules> = {
  readonly law: Law<Rules>
  /** The smallest values for which the law does not hold: the arguments of its property, in order. */
  readonly counterexample: ReadonlyArray<unknown>
  /** fast-check's report, with the seed and the path of the counterexample. */
  readonly report: string
}

const broken = <Rules>(law: Law<Rules>, rules: Rules | undefined, parameters: CheckParameters) => {
  const details = fc.check(law.property(rules), { ...runParameters(), ...parameters })
  return details.failed ? { details, report: fc.defaultReportMessage(details) } : undefined
}

/**
 * Checks rules by one law; by default, the domain's own. Throws when the law does not hold, with the law and the
 * smallest counterexample, its seed and path.
 */
export const checkLaw = <Rules>(law: Law<Rules>, rules?: Rules, parameters: CheckParameters = {}): void => {
  const found = broken(law, rules, parameters)
  if (found === undefined) return
  const { id, statement, reference } = law
  throw new Error(`${statement} (${id}, ${reference})\n${found.report}`, { cause: found.details.errorInstance })
}

/** The laws that rules violate, each with its smallest counterexample: `brokenAmong(metadataLaws)(rules)`. */
export const brokenAmong =
  <Rules>(laws: ReadonlyArray<Law<Rules>>) =>
  (rules: Rules, parameters: CheckParameters = {}): ReadonlyArray<BrokenLaw<Rules>> =>
    laws.flatMap((law) => {
      const found = broken(law, rules, parameters)
      if (found === undefined) return []
      const { counterexample } = found.details
      return [{ law, counterexample: Array.isArray(counterexample) ? counterexample : [], report: found.report }]
    })

/** The laws of authorization that these rules violate. */
export const brokenLaws: (
  rules: AuthorizationRules,
  parameters?: CheckParameters,
) => ReadonlyArray<BrokenLaw<AuthorizationRules>> = brokenAmong(authorizationLaws)
