/**
 * The ports of storage in memory: for demonstrations, for tests, and for hosts that keep nothing. What is state ends with the
 * process; every other promise of the ports holds, and the contract suites of `@clientele/testing` hold it to them as
 * they do the SQLite adapter. Runs in any JavaScript runtime.
 */
export { inMemoryForeignKeys } from './foreign-keys.js'
export { inMemoryKeyRings, keyRingsOf } from './key-rings.js'
export { inMemoryLogoutOutbox, type InMemoryOutbox } from './logout-outbox.js'
export { emptyState, type State } from './state.js'
export { inMemoryStore, openInMemoryStore, type InMemoryStore } from './store.js'
export { createTurns } from './turns.js'
export { timedPauses } from './timed-pauses.js'
