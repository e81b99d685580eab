import * as fc from 'fast-check'
import type { Arbitraries } from '../law.js'

/** What rules keep, as data: a sentence, where it comes from, and the property that puts any implementation to the test. */
export type Law<Rules> = {
  /** Stable, in kebab-case. */
  readonly id: string
  /** One sentence. */
  readonly statement: string
  /** The section of an RFC or of the specification that asks for it, or the document where we decided it. */
  readonly reference: string
  /** The law about these rules; without any, about the domain's own. */
  readonly property: (rules?: Rules) => fc.IProperty<unknown>
}

/** Makes laws about rules of which the domain has an implementation of its own. A law holds unless it answers false or throws. */
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
