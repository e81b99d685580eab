import type Database from 'better-sqlite3'

/**
 * Names what is in the file: by another name as soon as anybody has written to it, through another connection
 * (sqlite.org/pragma.html#pragma_data_version) or through this one. Within a transaction of this one there is no name, because
 * what is undone is still counted.
 */
export const createRevision = (db: Database.Database): (() => string | undefined) => {
  const [byOthers, byUs] = [db.prepare('PRAGMA data_version').pluck(), db.prepare('SELECT total_changes()').pluck()]
  return () => (db.inTransaction ? undefined : `${String(byOthers.get())} ${String(byUs.get())}`)
}
