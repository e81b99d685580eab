/**
 * The storage ports in memory: for demonstrations, tests, and hosts without storage. The state ends with the process;
 * the contract suites of `@clientele/testing` check all other promises of the ports, as for the SQLite adapter. Runs in
 * any JavaScript runtime.
 */
export { keyRingsOf } from './keys.js'
export { inMemoryPendingNotifications, type InMemoryPendingNotifications } from './sessions.js'
export { copyState, emptyState, type State } from './state.js'
export { inMemoryStore, openInMemoryStore, type InMemoryStore } from './store.js'
