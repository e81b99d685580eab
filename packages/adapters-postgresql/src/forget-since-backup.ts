// After pg_restore: removes what may have been spent, ended, revoked or withdrawn since the backup.
import type { StoreRefusal } from '@clientele/domain/ports'
import { type Forgotten, forgottenBy, forgottenTables, statement, storeRefusal, verb } from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Database } from './database.js'
import { unusable } from './failures.js'
import { instancesOn } from './instances.js'
import { type OpeningOptions, onDatabase } from './open-database.js'

/** What was removed, and the clients that stay. */
export type AfterRestoration = { readonly clients: number; readonly forgotten: Forgotten }

const Counted = t.type({ rows: t.number })

const removals = forgottenTables.map((table) => ({
  table,
  remove: statement(
    `WITH removed AS (DELETE FROM ${table} RETURNING 1) SELECT count(*) AS rows FROM removed`,
    {},
    Counted,
  ),
}))
const countClients = statement('SELECT count(*) AS rows FROM clients', {}, Counted)

// A service never sees a part of it. Running it again removes nothing more.
const removal = verb({ changes: ['what is forgotten'] }, async (tx) => {
  const counts = new Map<string, number>()
  for (const { table, remove } of removals) counts.set(table, (await tx.get(remove, {}))?.rows ?? 0)
  const forgotten = forgottenBy((table) => counts.get(table) ?? 0)
  return E.right({ clients: (await tx.get(countClients, {}))?.rows ?? 0, forgotten })
})

const running = (db: Database, count: number): StoreRefusal =>
  storeRefusal(
    'in-use',
    `instances run on ${db.name} (${count}): stop them first (clientele instances list); one that was killed, or that ` +
      'the backup brought back, is forgotten within minutes. Nothing was changed',
  )

/** Removes it in one transaction; refused while an instance runs on the database. */
export const forgetSinceBackup = (options: OpeningOptions): TE.TaskEither<StoreRefusal, AfterRestoration> =>
  onDatabase(options, (db) =>
    pipe(
      instancesOn(db),
      TE.filterOrElse(
        (instances) => instances.length === 0,
        ({ length }) => running(db, length),
      ),
      TE.flatMap(() => pipe(db.write(removal), TE.mapLeft(unusable(db.name)))),
    ),
  )
