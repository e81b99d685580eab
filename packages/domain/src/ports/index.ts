// What operations need from outside, as types: `Store`, and all else.
export * from './outside.js'
export * from './store.js'
