/**
 * The domain's ports on one SQLite file: answered writes are on disk (WAL, synchronous=FULL), concurrent writes share a
 * commit, and one service at a time owns the file.
 */
export {
  type BackupContents,
  type BackupReport,
  type RestoreOptions,
  type Restored,
  backUp,
  restoreBackup,
  verifyBackup,
} from './backup.js'
export { type InspectedDatabase, inspectDatabase } from './schema.js'
export { type StoreOptions, openStore } from './open-store.js'
