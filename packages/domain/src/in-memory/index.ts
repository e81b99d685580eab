/**
 * The ports of storage in memory, with every promise that they make: for demonstrations, tests, and hosts that keep nothing.
 * What is kept ends with the process. Runs in any JavaScript runtime; the contract suites of `@clientele/domain/testing`
 * hold it to what the SQLite adapter is held to.
 */
export { inMemoryStore, type InMemoryStore } from './in-memory-store.js'
