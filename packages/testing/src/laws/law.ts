import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { type Arbitraries, atLeast, runParameters } from '../property-runs.js'

/** A law of rules, as data: a statement, its source, and a property that checks any implementation. */
export type Law<Rules> = {
  /** Stable, in kebab-case. */
  readonly id: string
  /** One sentence. */
  readonly statement: string
  /** The section of an RFC or of the specification that requires it, or the document of our decision. */
  readonly reference: string
  /** The law about these rules; by default, about the domain's own. */
  readonly property: (rules?: Rules) => fc.IProperty<unknown>
}

/**
 * How laws about rules are stated, with the domain's own rules as default: a statement with its property, which holds unless
 * it returns false or throws; and the laws of one source, by their ids.
 */
export const lawsAbout = <Rules>(own: Rules) => ({
  law: <Values extends [unknown, ...Array<unknown>]>(
    statement: string,
    arbitraries: Arbitraries<Values>,
    holds: (rules: Rules, ...values: Values) => unknown,
  ): Pick<Law<Rules>, 'statement' | 'property'> => ({
    statement,
    property: (rules = own) => fc.property<Values>(...arbitraries, (...values) => holds(rules, ...values) !== false),
  }),
  lawsOf: (
    reference: string,
    laws: Readonly<Record<string, Pick<Law<Rules>, 'statement' | 'property'>>>,
  ): ReadonlyArray<Law<Rules>> => Object.entries(laws).map(([id, law]) => ({ id, reference, ...law })),
})

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
  const usual = runParameters()
  const numRuns = atLeast('numRuns', 1, parameters.numRuns ?? usual.numRuns)
  const details = fc.check(law.property(rules), { ...usual, ...parameters, numRuns })
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

/** A value, or a refusal; the laws check its code and the text for the header. */
export type Outcome<Value> = E.Either<{ readonly error: string; readonly error_description?: string }, Value>

/** The code of the refusal, or that there is none. */
export const codeOf = (outcome: Outcome<unknown>): string => (E.isLeft(outcome) ? outcome.left.error : 'permitted')

export const isPermitted = (outcome: Outcome<unknown>): boolean => E.isRight(outcome)

/** The value of an outcome that must not be a refusal. */
export const valueOf = <Value>(outcome: Outcome<Value>): Value => {
  if (E.isLeft(outcome)) throw new Error(`refused: ${outcome.left.error}`)
  return outcome.right
}
