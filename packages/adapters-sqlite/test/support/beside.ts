import Database from 'better-sqlite3'

/** Another program with the file open beside the store. */
export const beside = <Value>(file: string, body: (db: Database.Database) => Value): Value => {
  const db = new Database(file)
  try {
    return body(db)
  } finally {
    db.close()
  }
}
