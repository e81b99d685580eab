// The query plans of SQLite for statements.
import type Database from 'better-sqlite3'

/** The connection, with its prepared statements. */
export const recording = (db: Database.Database): readonly [Database.Database, ReadonlyArray<string>] => {
  const prepared: Array<string> = []
  const prepare = (sql: string): Database.Statement => {
    prepared.push(sql)
    return db.prepare(sql)
  }
  return [
    new Proxy(db, { get: (target, name) => (name === 'prepare' ? prepare : Reflect.get(target, name)) }),
    prepared,
  ]
}

export const planOf = (db: Database.Database, sql: string): ReadonlyArray<string> =>
  db
    .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?|@\w+/g, '1')}`)
    .all()
    .map(({ detail }) => detail)
