/**
 * The domain's ports on one SQLite file: what was answered is on disk (WAL, synchronous=FULL), writes that arrive together
 * share a commit, and one service at a time owns the file.
 */
export { openStore, type StoreOptions } from './open-store.js'
export { clientIdBeginning } from './token-index.js'
