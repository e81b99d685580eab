// The golden rows on SQLite; and a database as text, and back.
import type { Store } from '@clientele/domain/ports'
import Database from 'better-sqlite3'
import { type Column, type GoldenNeeds, goldenNeeds } from '../../../adapters-sql/test/golden/golden.js'
import { type Reading, readStore } from '../../../adapters-sql/test/golden/reading.js'
import { opened } from './temporary-store.js'

/** Beside others, because a process that owns the file ends the leases of others. */
export const openGolden =
  (file: string) =>
  (needs: GoldenNeeds): Promise<Store> =>
    opened(file, { ...needs, shared: true })

export const readGolden = async (file: string): Promise<Reading> => {
  const store = await openGolden(file)(goldenNeeds)
  const reading = await readStore(store)
  await store.close()
  return reading
}

const ownTables = "tables.schema = 'main' AND tables.type <> 'virtual' AND tables.name NOT LIKE 'sqlite_%'"
const selectTables = `SELECT name FROM pragma_table_list AS tables WHERE ${ownTables} ORDER BY name`
const selectColumns = `
SELECT tables.name AS "table", columns.name AS "column",
  tables.type = 'table' AND columns."notnull" = 0 AND columns.pk = 0 AS isNullable
FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns WHERE ${ownTables} ORDER BY 1, columns.cid`
// The virtual table makes its own tables.
const selectStatements = `
SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'
  AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') AND (type = 'table') = ? ORDER BY rowid`

// SQLite ends a statement at U+0000.
const literal = (value: unknown): string => {
  if (value === null) return 'NULL'
  if (typeof value === 'number') return String(value)
  if (Buffer.isBuffer(value)) return `X'${value.toString('hex')}'`
  const text = String(value)
  return text.includes('\0')
    ? `CAST(X'${Buffer.from(text).toString('hex')}' AS TEXT)`
    : `'${text.replaceAll("'", "''")}'`
}

const rowsOf = (db: Database.Database, table: string): ReadonlyArray<string> => [
  `DELETE FROM ${table};`,
  ...db
    .prepare<[], ReadonlyArray<unknown>>(`SELECT * FROM ${table}`)
    .raw()
    .all()
    .map((row) => `INSERT INTO ${table} VALUES (${row.map(literal).join(', ')});`),
]

/** The tables, then their rows, then what acts on rows. */
export const dumpOf = (db: Database.Database): string => {
  const statements = db.prepare<[number], string>(selectStatements).pluck()
  const tables = db.prepare<[], string>(selectTables).pluck().all()
  const begin = ['application_id', 'user_version'].map(
    (name) => `PRAGMA ${name} = ${String(db.pragma(name, { simple: true }))};`,
  )
  const rows = [...tables, 'sqlite_sequence'].flatMap((table) => rowsOf(db, table))
  const all = ['PRAGMA foreign_keys = OFF;', 'BEGIN;', ...begin, ...statements.all(1), ...rows, ...statements.all(0)]
  return `${all.join('\n')}\nCOMMIT;\n`
}

/** Makes the file. SQLite keeps the tables of a virtual table from other writers, unless it is told. */
export const loadDump = (file: string, dump: string): void => {
  const db = new Database(file)
  db.unsafeMode().exec(dump)
  db.close()
}

type SelectedColumn = { readonly table: string; readonly column: string; readonly isNullable: number }

export const columnsOf = (db: Database.Database): ReadonlyArray<Column> =>
  db
    .prepare<[], SelectedColumn>(selectColumns)
    .all()
    .map(({ table, column, isNullable }) => {
      const count = (what: string): number => Number(db.prepare(`SELECT count(${what}) FROM ${table}`).pluck().get())
      return {
        name: `${table}.${column}`,
        isNullable: isNullable === 1,
        rows: count('*'),
        values: count(`"${column}"`),
      }
    })
