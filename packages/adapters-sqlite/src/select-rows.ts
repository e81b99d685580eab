// Rows as objects of one hidden class: better-sqlite3 makes each a dictionary, which takes V8 twice as long to fill and
// to read (docs/decisions/0155-rows-of-one-hidden-class.md).
import type Database from 'better-sqlite3'

export type SelectRows = {
  /** The first row; undefined where there is none. */
  readonly get: (...parameters: ReadonlyArray<unknown>) => unknown
  readonly all: (...parameters: ReadonlyArray<unknown>) => ReadonlyArray<unknown>
  /** Whether it is a change, which returns the rows that it changed. */
  readonly writes: boolean
}

/** A statement whose rows have the names of its columns. A column that a later release adds comes after all others. */
export const selectRows = (db: Database.Database, sql: string): SelectRows => {
  const select = db.prepare<Array<unknown>, ReadonlyArray<unknown>>(sql).raw()
  const names = select.columns().map(({ name }) => name)
  const named = (values: ReadonlyArray<unknown>): unknown => {
    const row: Record<string, unknown> = {}
    names.forEach((name, index) => (row[name] = values[index]))
    return row
  }
  return {
    get: (...parameters) => {
      const values = select.get(...parameters)
      return values === undefined ? undefined : named(values)
    },
    all: (...parameters) => select.all(...parameters).map(named),
    writes: !select.readonly,
  }
}
