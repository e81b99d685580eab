// What another process can tell of a database. A trigger or a view of somebody else acts by itself, a trigger that is missing
// leaves counts wrong, and without an index requests take for ever: no row shows it.
import type { StoreRefusal } from '@clientele/domain/ports'
import Database from 'better-sqlite3'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { statSync } from 'node:fs'
import { onFile } from './failures.js'
import { isPresent, makeSchema } from './migrate.js'

type SchemaObject = { readonly type: string; readonly name: string; readonly sql: string }

// Statistics and sequences come and go.
const selectObjects = `
SELECT type, name, sql FROM sqlite_schema
WHERE sql IS NOT NULL AND NOT (type = 'table' AND name GLOB 'sqlite_*') ORDER BY type, name`

/** The statements by name. SQLite itself writes those of the tables behind a virtual table. */
const objectsOf = (db: Database.Database): ReadonlyMap<string, string> => {
  const tables = db.prepare<[], SchemaObject>('PRAGMA main.table_list').all()
  const shadows = tables.flatMap(({ type, name }) => (type === 'shadow' ? [name] : []))
  const objects = db.prepare<[], SchemaObject>(selectObjects).all()
  return new Map(
    objects.map(({ type, name, sql }) => [
      `${type} ${name}`,
      shadows.includes(name) ? '' : sql.replaceAll(/\s+/g, ' '),
    ]),
  )
}

const objectsOfNew = (): ReadonlyMap<string, string> => {
  const db = new Database(':memory:')
  try {
    makeSchema(db)
    return objectsOf(db)
  } finally {
    db.close()
  }
}

const maxNamed = 5

/** What a migrated database has, lacks or has otherwise than a new one, in words; none of one that is still to be migrated. */
export const schemaDifferences = (db: Database.Database): ReadonlyArray<string> => {
  if (!isPresent(db)) return []
  const found = objectsOf(db)
  const made = objectsOfNew()
  const differences = [
    ...[...found.keys()].filter((name) => !made.has(name)).map((name) => [name, 'is not of this service']),
    ...[...made.keys()].filter((name) => !found.has(name)).map((name) => [name, 'is missing']),
    ...[...made].filter(([name, sql]) => (found.get(name) ?? sql) !== sql).map(([name]) => [name, 'is different']),
  ].map(([name = '', text]) => `${name.replaceAll(/[^\w ]/g, '?').slice(0, 80)} ${text}`)
  const more = differences.length - maxNamed
  return more > 0 ? [...differences.slice(0, maxNamed), `${more} more`] : differences
}

export type InspectedDatabase = {
  readonly journal_mode: string
  /** The size of the write-ahead log. */
  readonly log_bytes: number
  /** What its schema has, lacks or has otherwise than that of this version, in words. */
  readonly differences: ReadonlyArray<string>
}

/** Beside a running service. */
export const inspectDatabase = (file: string): TE.TaskEither<StoreRefusal, InspectedDatabase> =>
  onFile(file)(() => {
    const db = new Database(file, { readonly: true, fileMustExist: true })
    try {
      return {
        journal_mode: String(db.pragma('journal_mode', { simple: true })),
        log_bytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        differences: schemaDifferences(db),
      }
    } finally {
      db.close()
    }
  })
