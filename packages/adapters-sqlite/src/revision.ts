import type Database from 'better-sqlite3'

/**
 * Names what is in the file: by another name as soon as anybody has written to it, through another connection
 * (sqlite.org/pragma.html#pragma_data_version) or through this one.
 */
export const createRevision = (db: Database.Database): (() => string) => {
  const [byOthers, byUs] = [db.prepare('PRAGMA data_version').pluck(), db.prepare('SELECT total_changes()').pluck()]
  return () => `${String(byOthers.get())} ${String(byUs.get())}`
}
