/**
 * The domain's ports on PostgreSQL 14 or later, for several instances of a service: what was answered is committed, and
 * the database's row locks, versions and references decide races.
 */
export { type AfterRestoration, forgetSinceBackup } from './forget-since-backup.js'
export { listInstances } from './instances.js'
export { type Migrated, migrateDatabase } from './migrate.js'
export { type OpeningOptions } from './open-database.js'
export { openStore, type StoreOptions } from './open-store.js'
