// What the page of a rule says: an example, the members that can violate it, and the standard that imposes it.
export type { ExampleRequest, RuleExample } from './example.js'
export { exampleFault, ruleExamples } from './examples.js'
export { findPlaces } from './places.js'
export type { ReferencePart } from './standards.js'
export { referenceParts } from './standards.js'
