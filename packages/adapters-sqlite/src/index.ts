/**
 * The domain's ports on one SQLite file: answered writes are on disk (WAL, synchronous=FULL), concurrent writes share a
 * commit, and one service at a time owns the file.
 */
export { type BackupReport, backUp } from './backup.js'
export { type InspectedDatabase, inspectDatabase } from './inspect-database.js'
export { openStore, type StoreOptions } from './open-store.js'
export { type Restored, restoreBackup } from './backup.js'
export { type BackupContents, type RestoreOptions, verifyBackup } from './backup.js'
