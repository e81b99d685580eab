// Migrations are numbered and go forward only. Each is one transaction, which one instance at a time runs; each names the
// oldest schema that code of an earlier version expects and can still use.
import { type StoreRefusal } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Query } from '../database.js'
import { sqlState } from '../failures.js'
import { unusable } from '../refusals.js'
import { store } from './0001-store.js'
import { instances } from './0002-instances.js'

type Migration = {
  readonly number: number
  readonly statements: string
  /** The oldest schema whose code can go on beside this one. */
  readonly worksWith: number
}

const migrations: ReadonlyArray<Migration> = [
  { number: 1, statements: store, worksWith: 1 },
  { number: 2, statements: instances, worksWith: 1 },
]

export const present = migrations.reduce((last, { number }) => Math.max(last, number), 0)

const product = 'clientele'
const undefinedColumn = '42703'

// By the rows of the catalog: to_regclass may answer from a cache that is older than the lock. One statement, and so one
// snapshot: another instance may create the tables meanwhile.
const findTables = {
  name: 'find_tables',
  text: `
SELECT count(*)::bigint AS tables, count(*) FILTER (WHERE tablename = 'schema_version') > 0 AS has_version
FROM pg_tables WHERE schemaname = current_schema()`,
}
const findVersion = { name: 'find_version', text: 'SELECT product, version, works_with FROM schema_version' }
// A lock of the transaction survives a pooler. The number is that of the SQLite file's application_id, "Clie".
const lock = { name: 'lock_migrations', text: 'SELECT pg_advisory_xact_lock(1131175269)' }
const createVersion = {
  name: 'create_schema_version',
  text: `CREATE TABLE schema_version (
    product text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, works_with bigint NOT NULL)`,
}
const insertVersion = { name: 'insert_version', text: 'INSERT INTO schema_version VALUES ($1, 0, 0)' }
const updateVersion = { name: 'update_version', text: 'UPDATE schema_version SET version = $1, works_with = $2' }

const Tables = t.type({ tables: t.number, has_version: t.boolean })
const Version = t.type({ product: t.string, version: t.number, works_with: t.number })

type Found = t.TypeOf<typeof Version> | undefined

const foreign = (name: string): StoreRefusal =>
  storeRefusal('foreign-schema', `${name} has tables of something else: name an empty database`)

/** The version of the schema; undefined without one. */
const read = async (query: Query, name: string): Promise<E.Either<StoreRefusal, Found>> => {
  const [tables] = await query(findTables)
  if (!Tables.is(tables)) return E.left(foreign(name))
  if (!tables.has_version) return tables.tables === 0 ? E.right(undefined) : E.left(foreign(name))
  const [version] = await query(findVersion)
  return Version.is(version) && version.product === product ? E.right(version) : E.left(foreign(name))
}

// Another product may have a table of this name.
const refusalOf =
  (name: string) =>
  (error: unknown): StoreRefusal | undefined =>
    sqlState(error) === undefinedColumn ? foreign(name) : undefined

const tooNew = (name: string, version: number): StoreRefusal =>
  storeRefusal('newer-schema', `${name} was written by a newer version (schema ${version}): start that version`)

const apply = async (query: Query, name: string): Promise<E.Either<StoreRefusal, void>> => {
  await query(lock)
  const found = await read(query, name)
  if (E.isLeft(found)) return found
  if (found.right === undefined) {
    await query(createVersion)
    await query(insertVersion, [product])
  }
  for (const { number, statements, worksWith } of migrations.filter(
    (each) => each.number > (found.right?.version ?? 0),
  )) {
    for (const text of statements.split(/;\n/).filter((each) => each.trim() !== '')) await query({ name: '', text })
    await query(updateVersion, [number, worksWith])
  }
  return E.right(undefined)
}

const empty = (name: string): StoreRefusal =>
  storeRefusal('not-a-database', `${name} is empty: start the service once, or correct database-url`)

/** Looks first, so that an instance also starts while the database is read-only and nothing is due. */
export const migrate = (db: Database, expectExisting: boolean): TE.TaskEither<StoreRefusal, void> =>
  pipe(
    db.writeOnce<StoreRefusal, Found>({ run: (query) => read(query, db.name), refusalOf: refusalOf(db.name) }),
    TE.flatMap((found) => {
      if (found === undefined && expectExisting) return TE.left(empty(db.name))
      if (found !== undefined && found.version >= present)
        return found.works_with > present ? TE.left(tooNew(db.name, found.version)) : TE.right(undefined)
      return db.transaction({ run: (query) => apply(query, db.name), refusalOf: refusalOf(db.name) })
    }),
    TE.mapLeft((refusal) => ('error' in refusal ? unusable(db.name)(refusal) : refusal)),
  )
