import * as fc from 'fast-check'
import { crossRules } from './faults/cross-rules.js'
import { keyRules } from './faults/key-rules.js'
import { languageRules, ownRules } from './faults/own-rules.js'
import type { MetadataFault } from './faults/spoiling.js'
import { wrongTypes } from './faults/wrong-types.js'
import type { SentMetadata } from './json-values.js'

export { type MetadataFault } from './faults/spoiling.js'
export type OneFault = { readonly body: SentMetadata; readonly fault: MetadataFault }

const spoilings = [...wrongTypes, ...ownRules, ...keyRules, ...crossRules, ...languageRules]

/** The rules that client metadata can violate; withOneFault violates each of them. */
export const faultsOfMetadata: ReadonlyArray<MetadataFault> = spoilings.map(({ fault }) => fault)

/** All violations of one rule by one member of the valid metadata, with the fault to report. */
export const everyFaultOf = (valid: SentMetadata): ReadonlyArray<OneFault> =>
  spoilings.map(({ fault, spoil }) => ({ fault, body: spoil(valid) }))

/** A body with exactly one fault, and the fault: its member, its place as a JSON pointer, and the violated rule. */
export const withOneFault = (valid: fc.Arbitrary<SentMetadata>): fc.Arbitrary<OneFault> =>
  fc.tuple(valid, fc.constantFrom(...spoilings)).map(([body, { fault, spoil }]) => ({ fault, body: spoil(body) }))
