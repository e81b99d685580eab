/**
 * The domain's ports on PostgreSQL 14 or later, for several instances of a service: what was answered is committed, and
 * the database's row locks, versions and references decide races.
 */
export { listInstances } from './instances.js'
export { type Migrated, migrateDatabase } from './migrate.js'
export { type OpeningOptions } from './open-database.js'
export { type AfterRestoration, type StoreOptions, forgetSinceBackup, openStore } from './open-store.js'
