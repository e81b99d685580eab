// After pg_restore: removes what may have been spent, ended, revoked or withdrawn since the backup.
import type { StoreRefusal } from '@clientele/domain'
import { type Forgotten, forgottenBy, forgottenTables, storeRefusal } from '@clientele/stored-rows'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database, Statement, Write } from './database.js'
import { guardWrites } from './guard-writes.js'
import { createInstances } from './instances.js'
import { type MigrationOptions, openDatabase } from './migrate-database.js'
import { requireMigrated } from './migrations/migrate.js'
import { migrations } from './migrations/migrations.js'
import { lastOf } from './migrations/schema-version.js'
import { unusable } from './refusals.js'

/** What was removed, and the clients that stay. */
export type AfterRestoration = { readonly clients: number; readonly forgotten: Forgotten }

const Counted = t.type({ rows: t.string })

const removeAll = (table: string): Statement => ({
  name: `forget_${table}`,
  text: `WITH removed AS (DELETE FROM ${table} RETURNING 1) SELECT count(*)::text AS rows FROM removed`,
})
const countClients: Statement = { name: 'count_clients', text: 'SELECT count(*)::text AS rows FROM clients' }

// One transaction: a service never sees a part of it. Running it again removes nothing more.
const removal: Write<never, AfterRestoration> = {
  run: async (query) => {
    const countOf = async (statement: Statement): Promise<number> => {
      const [row] = await query(statement)
      return Counted.is(row) ? Number(row.rows) : 0
    }
    const counts = new Map<string, number>()
    for (const table of forgottenTables) counts.set(table, await countOf(removeAll(table)))
    const forgotten = forgottenBy((table) => counts.get(table) ?? 0)
    return E.right({ clients: await countOf(countClients), forgotten })
  },
}

const running = (db: Database, count: number): StoreRefusal =>
  storeRefusal(
    'in-use',
    `instances run on ${db.name} (${count}): stop them first (clientele instances list); one that was killed, or that ` +
      'the backup brought back, is forgotten within minutes. Nothing was changed',
  )

const forgetOn = (db: Database): TE.TaskEither<StoreRefusal, AfterRestoration> => {
  const { guarded, look } = guardWrites(db, lastOf(migrations))
  return pipe(
    requireMigrated(db, migrations),
    TE.flatMap(() => pipe(createInstances(db, look).listInstances, TE.mapLeft(unusable(db.name)))),
    TE.filterOrElse(
      (instances) => instances.length === 0,
      ({ length }) => running(db, length),
    ),
    TE.flatMap(() => pipe(guarded.transaction(removal), TE.mapLeft(unusable(db.name)))),
  )
}

/** Removes it in one transaction; refused while an instance runs on the database. */
export const forgetSinceBackup = (options: MigrationOptions): TE.TaskEither<StoreRefusal, AfterRestoration> =>
  pipe(
    openDatabase(options),
    TE.flatMap((db) => async () => {
      const forgotten = await forgetOn(db)()
      await db.close()
      return forgotten
    }),
  )
