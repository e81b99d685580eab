// The first schema of SQLite, and the migrations after it; how a file gets it, and what a file has otherwise.
import { laterSchemas, refuse, tablesOfSqlite } from '@clientele/adapters-sql'
import type { StoreRefusal } from '@clientele/domain/ports'
import Database from 'better-sqlite3'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { statSync } from 'node:fs'
import { onFile } from './failures.js'

// A trigger keeps the number of clients, because SQLite counts by reading an index.
const first = `${tablesOfSqlite}
CREATE TABLE client_count (
  clients INTEGER NOT NULL
) STRICT;
INSERT INTO client_count VALUES (0);
CREATE TRIGGER count_added_client AFTER INSERT ON clients BEGIN
  UPDATE client_count SET clients = clients + 1;
END;
CREATE TRIGGER count_removed_client AFTER DELETE ON clients BEGIN
  UPDATE client_count SET clients = clients - 1;
END;

CREATE VIRTUAL TABLE search_blocks USING fts5
  (tokens, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');

CREATE TABLE provider_events (
  ordinal INTEGER PRIMARY KEY,
  event TEXT NOT NULL
) STRICT;
`

type Migration = { readonly number: number; readonly statements: string }

/** Forward only, in the order of their numbers, which never change. Numbers below the first are of no release. */
export const migrations: readonly [Migration, ...ReadonlyArray<Migration>] = [
  { number: 100, statements: first },
  ...laterSchemas.map(({ number, sqlite }) => ({ number, statements: sqlite })),
]

const [{ number: earliest }] = migrations
const present = migrations.reduce((last, { number }) => Math.max(last, number), 0)

// SQLite's application_id: "Clie".
export const applicationId = 0x436c_6965

const pragma = (db: Database.Database, name: string): number => Number(db.pragma(name, { simple: true }))

const versionOf = (db: Database.Database): number => pragma(db, 'user_version')

/** Whether all migrations were applied. */
const isPresent = (db: Database.Database): boolean => versionOf(db) === present

/** Makes the schema in a new database, or goes on from an earlier one; for convert-database.mjs as well. */
export const makeSchema = (db: Database.Database): void => {
  const version = versionOf(db)
  for (const { statements } of migrations.filter(({ number }) => number > version)) db.exec(statements)
  db.pragma(`application_id = ${applicationId}`)
  db.pragma(`user_version = ${present}`)
}

/** Whether the database is new; refuses a schema that is not of this release or one before it. */
export const isNew = (db: Database.Database): boolean => {
  const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  const version = versionOf(db)
  if (!isEmpty && pragma(db, 'application_id') !== applicationId)
    refuse('foreign-schema', `${db.name} is a database of something else: name another data directory`)
  if (!isEmpty && version > present)
    refuse('newer-schema', `${db.name} was written by a newer version (schema ${version}): start that version`)
  if (!isEmpty && version < earliest)
    refuse(
      'earlier-schema',
      `${db.name} was written before the first release (schema ${version}): convert it by node packages/app/convert-database.mjs ${db.name}`,
    )
  return isEmpty
}

/** Migrates the schema in one transaction. */
export const migrate = (db: Database.Database): void => {
  if (!isPresent(db)) db.transaction(makeSchema).immediate(db)
}

// What another process can tell of a database. A trigger or a view of somebody else acts by itself, a trigger that is missing
// leaves counts wrong, and without an index requests take for ever: no row shows it.

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

/** Closes the database after its use. */
export const closing = <Result>(db: Database.Database, use: (db: Database.Database) => Result): Result => {
  try {
    return use(db)
  } finally {
    db.close()
  }
}

const objectsOfNew = (): ReadonlyMap<string, string> =>
  closing(new Database(':memory:'), (db) => {
    makeSchema(db)
    return objectsOf(db)
  })

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
export const inspectDatabase = (file: string): TaskEither<StoreRefusal, InspectedDatabase> =>
  onFile(file)(() =>
    closing(new Database(file, { readonly: true, fileMustExist: true }), (db) => ({
      journal_mode: String(db.pragma('journal_mode', { simple: true })),
      log_bytes: statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      differences: schemaDifferences(db),
    })),
  )
