/**
 * The store in SQL: the verbs of SQLite and PostgreSQL, each written once, with their statements and the tables that both
 * have. It opens no database: an adapter is the engine of the store, which opens one, makes the tables, and runs verbs in batches.
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
export { json, table } from './table.js'
export {
  type Engine,
  type Names,
  type Place,
  type Shared,
  type Tx,
  type Verb,
  type WriteHealth,
  createOperations,
  createPlaces,
  createShares,
  createWriteHealth,
  verb,
  verbOf,
} from './verb.js'
export { laterSchemas } from './migrations.js'
export { type Forgotten, forgottenBy, forgottenTables, tablesOfPostgresql, tablesOfSqlite } from './schema.js'
export { type Particulars, storeOn } from './store.js'
export { insertAuditRow } from './audit-log.js'
export { verifyAll } from './seal-anew.js'
export {
  Refused,
  digestKeyOf,
  encryptionUnavailable,
  openDigestKey,
  orRefuse,
  reasonOf,
  refuse,
  refusing,
  storeRefusal,
} from './opening.js'
