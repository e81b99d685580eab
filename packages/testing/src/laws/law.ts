import * as fc from 'fast-check'
import type { Arbitraries } from '../law.js'

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
 * Makes laws about rules, with the domain's own as default. A law holds unless its property returns false or throws.
 */
export const lawsAbout =
  <Rules>(own: Rules) =>
  <Values extends [unknown, ...Array<unknown>]>(
    id: string,
    statement: string,
    reference: string,
    arbitraries: Arbitraries<Values>,
    holds: (rules: Rules) => (...values: Values) => unknown,
  ): Law<Rules> => ({
    id,
    statement,
    reference,
    property: (rules = own) => {
      const predicate = holds(rules)
      return fc.property<Values>(...arbitraries, (...values) => predicate(...values) !== false)
    },
  })
