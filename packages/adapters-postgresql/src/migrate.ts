// The schema of the database: its version, and the migrations that are due, in one transaction that one instance at a time runs.
import type { StoreRefusal } from '@clientele/domain/ports'
import { Refused, orRefuse, refuse, storeRefusal } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as t from 'io-ts'
import { setTimeout } from 'node:timers/promises'
import type { Query } from './connections.js'
import type { Database } from './database.js'
import { lockNotAvailable, sqlState, unusable } from './failures.js'
import { type OpeningOptions, onDatabase } from './open-database.js'
import { type Migration, type Migrations, migrations } from './schema.js'

const product = 'clientele'

// By the rows of the catalog: to_regclass may answer from a cache that is older than the lock. One statement, and so one
// snapshot: another instance may create the tables meanwhile.
const findTables = {
  name: 'find_tables',
  text: `
SELECT count(*)::bigint AS tables, (
    SELECT count(*) = 3 FROM pg_attribute WHERE attrelid IN (
      SELECT oid FROM pg_class WHERE relname = 'schema_version' AND relnamespace = current_schema()::regnamespace)
    AND attname IN ('product', 'version', 'works_with')) AS has_version
FROM pg_tables WHERE schemaname = current_schema()`,
}
const findVersion = { name: 'find_version', text: 'SELECT product, version, works_with FROM schema_version' }

const Tables = t.type({ tables: t.number, has_version: t.boolean })
const Version = t.type({ product: t.string, version: t.number, works_with: t.number })

/** Undefined for an empty database. */
type Found = t.TypeOf<typeof Version> | undefined

const foreign = (name: string): StoreRefusal =>
  storeRefusal('foreign-schema', `${name} has tables of something else: name an empty database`)

/** The version of the schema, or the refusal of a database of something else. */
const findSchema = async (query: Query, name: string): Promise<E.Either<StoreRefusal, Found>> => {
  const [tables] = await query(findTables)
  if (!Tables.is(tables)) return E.left(foreign(name))
  if (!tables.has_version) return tables.tables === 0 ? E.right(undefined) : E.left(foreign(name))
  const [version] = await query(findVersion)
  return Version.is(version) && version.product === product ? E.right(version) : E.left(foreign(name))
}

export const lastOf = (migrations: Migrations): number =>
  migrations.reduce((last, { number }) => Math.max(last, number), 0)

/** The migrations that are due; or the refusal of a schema that is not of a release before this one. */
const dueOf = (found: Found, migrations: Migrations, name: string): E.Either<StoreRefusal, Migrations> => {
  if (found === undefined) return E.right(migrations)
  const { version, works_with } = found
  if (version < (migrations[0]?.number ?? 0))
    return E.left(
      storeRefusal(
        'earlier-schema',
        `${name} was written before the first release (schema ${version}): convert it by node packages/app/convert-database.mjs, with database-url as its argument`,
      ),
    )
  return works_with > lastOf(migrations)
    ? E.left(
        storeRefusal('newer-schema', `${name} was written by a newer version (schema ${version}): start that version`),
      )
    : E.right(migrations.filter(({ number }) => number > version))
}

/** The versions of the schema before and after; equal where no migration was due. */
export type Migrated = { readonly from: number; readonly to: number }

type MigrationOptions = OpeningOptions & {
  /** Milliseconds within which a migration is run again after it did not get a lock; a minute by default. */
  readonly waitForLocks?: number
}

/** An hour, for example for an index on a large table, or for the removal of its rows. */
export const maxDuration = 3_600_000
// Requests wait behind a lock that a migration waits for: for less than their own limit, and not again at once.
const lockTimeout = 1_000
const pauseForOthers = 1_000
const defaultWaitForLocks = 60_000

/** For this transaction, in place of the limits of requests, which a pooler may have set as well. */
export const liftLimits = {
  name: 'lift_limits',
  text: `SELECT set_config('statement_timeout', '${maxDuration}', true), set_config('lock_timeout', '${lockTimeout}', true)`,
}
// A lock of the transaction survives a pooler. The number is that of the SQLite file's application_id, "Clie".
const lock = { name: 'lock_migrations', text: 'SELECT pg_advisory_xact_lock(1131175269)' }
const createVersion = {
  name: 'create_schema_version',
  text: `CREATE TABLE schema_version (
    product text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, works_with bigint NOT NULL)`,
}
const insertVersion = { name: 'insert_version', text: 'INSERT INTO schema_version VALUES ($1, 0, 0)' }
const updateVersion = { name: 'update_version', text: 'UPDATE schema_version SET version = $1, works_with = $2' }

export const statementsOf = ({ statements }: Migration): ReadonlyArray<string> =>
  statements.split(/;\n/).filter((each) => each.trim() !== '')

const runAll = async (query: Query, found: Found, due: Migrations): Promise<void> => {
  if (found === undefined) {
    await query(createVersion)
    await query(insertVersion, [product])
  }
  for (const migration of due) {
    for (const text of statementsOf(migration)) await query({ name: '', text, maxDuration })
    await query(updateVersion, [migration.number, migration.worksWith])
  }
}

// After a commit whose answer was lost, it finds nothing due.
const apply = async (query: Query, migrations: Migrations, name: string): Promise<E.Either<StoreRefusal, Migrated>> => {
  await query(liftLimits)
  await query(lock)
  const found = await findSchema(query, name)
  if (E.isLeft(found)) return found
  const due = dueOf(found.right, migrations, name)
  if (E.isLeft(due)) return due
  await runAll(query, found.right, due.right)
  const from = found.right?.version ?? 0
  return E.right({ from, to: Math.max(from, lastOf(due.right)) })
}

const orThrow = <Result>(outcome: E.Either<StoreRefusal, Result>): Result => {
  if (E.isLeft(outcome)) throw new Refused(outcome.left)
  return outcome.right
}

/** The schema, and the migrations that are due; refuses a schema that is not of a release before this one. */
export const readSchema = async (
  db: Database,
  migrations: Migrations,
): Promise<{ readonly found: Found; readonly due: Migrations }> => {
  const reading = db.ask((query) => findSchema(query, db.name))
  const found = orThrow(await orRefuse(reading, unusable(db.name)))
  return { found, due: orThrow(dueOf(found, migrations, db.name)) }
}

/** Looks first, so that an instance also starts while the database is read-only and nothing is due. */
export const migrate = async (
  db: Database,
  migrations: Migrations,
  { waitForDatabase, waitForLocks = defaultWaitForLocks }: MigrationOptions,
): Promise<Migrated> => {
  const { found, due } = await readSchema(db, migrations)
  const version = found?.version ?? 0
  if (due.length === 0) return { from: version, to: version }
  const deadline = performance.now() + waitForLocks
  for (;;) {
    const applied = await db.transaction((query) => apply(query, migrations, db.name), waitForDatabase)()
    if (E.isRight(applied)) return orThrow(applied.right)
    if (sqlState(applied.left.detail) !== lockNotAvailable) throw new Refused(unusable(db.name)(applied.left))
    if (performance.now() > deadline)
      refuse(
        'unusable',
        `${db.name} cannot be migrated, because others keep its tables locked: wait for another migration, or end long transactions, and start again`,
      )
    await setTimeout(pauseForOthers)
  }
}

const remedy = 'run clientele database migrate'

/** Refuses a database for which a migration is due, and does not change it. */
export const requireMigrated = async (db: Database, migrations: Migrations): Promise<void> => {
  const { found, due } = await readSchema(db, migrations)
  if (due.length === 0) return
  if (found === undefined) refuse('not-a-database', `${db.name} is empty: ${remedy}, or correct database-url`)
  const last = lastOf(migrations)
  refuse('unusable', `${db.name} has schema ${found?.version}, and this version needs schema ${last}: ${remedy}`)
}

export const migrateDatabaseBy =
  (migrations: Migrations) =>
  (options: MigrationOptions): TaskEither<StoreRefusal, Migrated> =>
    onDatabase(options, (db) => migrate(db, migrations, options))

/** Runs the migrations that are due, and creates the tables in an empty database; nothing due is success. */
export const migrateDatabase = migrateDatabaseBy(migrations)
