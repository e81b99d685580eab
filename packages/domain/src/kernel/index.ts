// JSON, faults and the texts of rules, refusals, times and budgets.
export * from './budgets.js'
export * from './faults.js'
export * from './json-object.js'
export * from './json.js'
export * from './refusals.js'
export * from './rule-texts.js'
export * from './time.js'
export * from './values.js'
