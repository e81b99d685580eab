// The migrations that are due are one transaction, which one instance at a time runs.
import { type StoreRefusal, type Unavailable } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database, Query, Write } from '../database.js'
import { lockNotAvailable, sqlState } from '../failures.js'
import { unusable } from '../refusals.js'
import type { Migration, Migrations } from './migrations.js'
import { type Found, dueOf, findSchema, lastOf, product, readSchema, refusalOf, versionOf } from './schema-version.js'

/** The versions of the schema before and after; equal where no migration was due. */
export type Migrated = { readonly from: number; readonly to: number }

export type MigrationPatience = {
  /** Milliseconds within which a migration is run again after its connection was lost. */
  readonly waitForDatabase: number
  /** Milliseconds within which a migration is run again after it did not get a lock; a minute by default. */
  readonly waitForLocks?: number
}

/** An hour, for example for an index on a large table. */
const maxDuration = 3_600_000
// Requests wait behind a lock that a migration waits for: for less than their own limit, and not again at once.
const lockTimeout = 1_000
const pauseForOthers = 1_000
const defaultWaitForLocks = 60_000

// For this transaction, in place of the limits of requests, which a pooler may have set as well.
const setLimits = {
  name: 'limit_migration',
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

const apply = (db: Database, migrations: Migrations, before: Found): Write<StoreRefusal, Migrated> => ({
  run: async (query) => {
    await query(setLimits)
    await query(lock)
    const found = await findSchema(query, db.name)
    if (E.isLeft(found)) return found
    const due = dueOf(found.right, migrations, db.name)
    if (E.isLeft(due)) return due
    await runAll(query, found.right, due.right)
    const from = versionOf(found.right)
    return E.right({ from, to: Math.max(from, lastOf(due.right)) })
  },
  isDone: async (query) => {
    const found = await findSchema(query, db.name)
    const to = E.isRight(found) ? versionOf(found.right) : 0
    return to >= lastOf(migrations) ? O.some({ from: versionOf(before), to }) : O.none
  },
  refusalOf: refusalOf(db.name),
})

const isLocked = (failure: StoreRefusal | Unavailable): boolean =>
  'error' in failure && sqlState(failure.detail) === lockNotAvailable

const locked = (name: string): StoreRefusal =>
  storeRefusal(
    'unusable',
    `${name} cannot be migrated, because others keep its tables locked: wait for another migration, or end long transactions, and start again`,
  )

const whileLocked = <Result>(
  name: string,
  attempt: TE.TaskEither<StoreRefusal | Unavailable, Result>,
  deadline: number,
): TE.TaskEither<StoreRefusal | Unavailable, Result> =>
  pipe(
    attempt,
    TE.orElse((failure) => {
      if (!isLocked(failure)) return TE.left(failure)
      return performance.now() > deadline
        ? TE.left(locked(name))
        : T.delay(pauseForOthers)(whileLocked(name, attempt, deadline))
    }),
  )

const opening = <Result>(
  { name }: Database,
  opened: TE.TaskEither<StoreRefusal | Unavailable, Result>,
): TE.TaskEither<StoreRefusal, Result> =>
  pipe(
    opened,
    TE.mapLeft((refusal) => ('error' in refusal ? unusable(name)(refusal) : refusal)),
  )

/** Looks first, so that an instance also starts while the database is read-only and nothing is due. */
export const migrate = (
  db: Database,
  migrations: Migrations,
  { waitForDatabase, waitForLocks = defaultWaitForLocks }: MigrationPatience,
): TE.TaskEither<StoreRefusal, Migrated> =>
  opening(
    db,
    pipe(
      db.writeOnce(readSchema(db)),
      TE.bindTo('found'),
      TE.bindW('due', ({ found }) => TE.fromEither(dueOf(found, migrations, db.name))),
      TE.flatMap(({ found, due }) =>
        due.length === 0
          ? TE.right({ from: versionOf(found), to: versionOf(found) })
          : whileLocked(
              db.name,
              db.transaction(apply(db, migrations, found), waitForDatabase),
              performance.now() + waitForLocks,
            ),
      ),
    ),
  )

const remedy = 'run clientele database migrate'

const notMigrated = (name: string, found: Found, last: number): StoreRefusal =>
  found === undefined
    ? storeRefusal('not-a-database', `${name} is empty: ${remedy}, or correct database-url`)
    : storeRefusal('unusable', `${name} has schema ${found.version}, and this version needs schema ${last}: ${remedy}`)

/** Refuses a database for which a migration is due, and does not change it. */
export const requireMigrated = (db: Database, migrations: Migrations): TE.TaskEither<StoreRefusal, void> =>
  opening(
    db,
    pipe(
      db.writeOnce(readSchema(db)),
      TE.flatMapEither((found) =>
        pipe(
          dueOf(found, migrations, db.name),
          E.filterOrElse(
            (due) => due.length === 0,
            () => notMigrated(db.name, found, lastOf(migrations)),
          ),
        ),
      ),
      TE.map(() => undefined),
    ),
  )
