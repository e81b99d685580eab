/**
 * The storage ports in memory: for demonstrations, tests, and hosts without storage. The state ends with the process;
 * the contract suites of `@clientele/testing` check all other promises of the ports, as for the SQLite adapter. Runs in
 * any JavaScript runtime.
 */
export { createBudgetConsumption, unitLifetime, type BudgetConsumptionPorts } from './budget-consumption.js'
export { inMemoryForeignKeys } from './foreign-keys.js'
export { inMemoryKeyRings, keyRingsOf } from './key-rings.js'
export { inMemoryPendingNotifications, type InMemoryPendingNotifications } from './pending-notifications.js'
export { emptyState, type State } from './state.js'
export { inMemoryStore, openInMemoryStore, type InMemoryStore } from './store.js'
export { createTurns } from './turns.js'
export { timedPauses } from './timed-pauses.js'
