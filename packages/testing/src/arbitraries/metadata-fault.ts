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

/** The rules that bodies of client metadata can break, each of which withOneFault breaks in one of its cases. */
export const faultsOfMetadata: ReadonlyArray<MetadataFault> = spoilings.map(({ fault }) => fault)

/** Each way to break one rule of one member, on the valid metadata, and what has to be told of it. */
export const everyFaultOf = (valid: SentMetadata): ReadonlyArray<OneFault> =>
  spoilings.map(({ fault, spoil }) => ({ fault, body: spoil(valid) }))

/** A body with exactly one fault, and what the fault is: its member, its place as a JSON pointer, and the rule that it breaks. */
export const withOneFault = (valid: fc.Arbitrary<SentMetadata>): fc.Arbitrary<OneFault> =>
  fc.tuple(valid, fc.constantFrom(...spoilings)).map(([body, { fault, spoil }]) => ({ fault, body: spoil(body) }))
