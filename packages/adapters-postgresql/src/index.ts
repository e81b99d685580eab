/**
 * The domain's ports on PostgreSQL 14 or later, for several instances of a service: what was answered is committed, and
 * the database's row locks, versions and references decide races.
 */
export { type AfterRestoration, forgetSinceBackup } from './forget-since-backup.js'
export { listInstances } from './list-instances.js'
export { migrateDatabase, type MigrationOptions } from './migrate-database.js'
export { type Migrated } from './migrations/migrate.js'
export { openStore, type StoreOptions } from './open-store.js'
