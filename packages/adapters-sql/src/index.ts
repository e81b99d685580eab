/**
 * The store in SQL: each table, statement and verb once, for SQLite and PostgreSQL. It knows no database: an adapter is an
 * engine below it, which opens the database, has its schema, and runs verbs in batches.
 */
export {
  type Insertion,
  type ParameterTypes,
  type Statement,
  type Values,
  change,
  insertion,
  returning,
  rowOf,
  statement,
  together,
} from './statement.js'
export { table } from './table.js'
export {
  type Engine,
  type Names,
  type Place,
  type Shared,
  type Tx,
  type Verb,
  createPlaces,
  createShares,
  verb,
  verbOf,
} from './verb.js'
export { tablesOfPostgresql, tablesOfSqlite } from './schema.js'
export { type Particulars, storeOn } from './store.js'
export { insertAuditRow } from './audit-log.js'
export { digestKeyOf } from './digest-key.js'
export { verifyAll } from './seal-anew.js'
export { type Forgotten, forgottenBy, forgottenTables } from './forgotten.js'
export { encryptionUnavailable, reasonOf, storeRefusal } from './store-refusal.js'
export { type Operations, createOperations } from './operations.js'
export { type WriteHealth, createWriteHealth } from './write-health.js'
