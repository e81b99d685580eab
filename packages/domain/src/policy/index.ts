// The operator's restrictions beyond the standards, as data.
export * from './algorithms.js'
export * from './decode.js'
export * from './policy.js'
export * from './rules.js'
