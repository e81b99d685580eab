/**
 * The domain's ports on one SQLite file: answered writes are on disk (WAL, synchronous=FULL), concurrent writes share a
 * commit, and one service at a time owns the file.
 */
export { openStore, type StoreOptions } from './open-store.js'
export { clientIdBeginning } from './token-index.js'
