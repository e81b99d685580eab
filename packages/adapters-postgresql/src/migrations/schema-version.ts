// The version of the schema in the database, and which migrations are due by it.
import { type StoreRefusal } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Database, Query, Write } from '../database.js'
import { sqlState } from '../failures.js'
import type { Migrations } from './migrations.js'

export const product = 'clientele'
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

const Tables = t.type({ tables: t.number, has_version: t.boolean })
const Version = t.type({ product: t.string, version: t.number, works_with: t.number })

/** Undefined for an empty database. */
export type Found = t.TypeOf<typeof Version> | undefined

export const versionOf = (found: Found): number => found?.version ?? 0

const foreign = (name: string): StoreRefusal =>
  storeRefusal('foreign-schema', `${name} has tables of something else: name an empty database`)

/** The version of the schema, or the refusal of a database of something else. */
export const findSchema = async (query: Query, name: string): Promise<E.Either<StoreRefusal, Found>> => {
  const [tables] = await query(findTables)
  if (!Tables.is(tables)) return E.left(foreign(name))
  if (!tables.has_version) return tables.tables === 0 ? E.right(undefined) : E.left(foreign(name))
  const [version] = await query(findVersion)
  return Version.is(version) && version.product === product ? E.right(version) : E.left(foreign(name))
}

/** Another product may have a table of this name. */
export const refusalOf =
  (name: string) =>
  (error: unknown): StoreRefusal | undefined =>
    sqlState(error) === undefinedColumn ? foreign(name) : undefined

export const readSchema = (db: Database): Write<StoreRefusal, Found> => ({
  run: (query) => findSchema(query, db.name),
  refusalOf: refusalOf(db.name),
})

export const lastOf = (migrations: Migrations): number =>
  migrations.reduce((last, { number }) => Math.max(last, number), 0)

const tooNew = (name: string, version: number): StoreRefusal =>
  storeRefusal('newer-schema', `${name} was written by a newer version (schema ${version}): start that version`)

/** The migrations that are due; or the refusal of a newer schema, beside which this code cannot go on. */
export const dueOf = (found: Found, migrations: Migrations, name: string): E.Either<StoreRefusal, Migrations> =>
  found !== undefined && found.works_with > lastOf(migrations)
    ? E.left(tooNew(name, found.version))
    : E.right(migrations.filter(({ number }) => number > versionOf(found)))
