// The query plans of SQLite for statements.
import type Database from 'better-sqlite3'

/** The connection, of which the texts of prepared statements are noted. */
export const recording = (db: Database.Database, prepared: Array<string>): Database.Database =>
  new Proxy(db, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name)
      if (name === 'prepare')
        return (sql: string) => {
          prepared.push(sql)
          return db.prepare(sql)
        }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })

const withValues = (sql: string): string => sql.replaceAll(/\?|[@:]\w+/g, '1')

export const planOf = (db: Database.Database, sql: string): ReadonlyArray<string> =>
  db
    .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${withValues(sql)}`)
    .all()
    .map(({ detail }) => detail)

/** The operations of SQLite's virtual machine. */
export const explained = (db: Database.Database, sql: string): ReadonlyArray<string> =>
  db
    .prepare<[], { readonly opcode: string }>(`EXPLAIN ${withValues(sql)}`)
    .all()
    .map(({ opcode }) => opcode)
