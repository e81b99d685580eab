// Opens the store of a database, and what an operator runs on it after its restoration.
import type { Instances, Store, StoreNeeds, StoreRefusal } from '@clientele/domain/ports'
import {
  type Forgotten,
  digestKeyOf,
  forgottenBy,
  forgottenTables,
  orRefuse,
  refuse,
  refusing,
  storeOn,
} from '@clientele/adapters-sql'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import type { Query } from './connections.js'
import type { DatabaseOptions } from './database.js'
import { unusable } from './failures.js'
import { guardWrites, instancesOn } from './instances.js'
import { lastOf, liftLimits, maxDuration, migrate, readSchema, requireMigrated } from './migrate.js'
import { type OpeningOptions, checkWritable, onDatabase, openDatabase } from './open-database.js'
import { type Migrations, migrations } from './schema.js'

export type StoreOptions = Pick<StoreNeeds, 'encryption' | 'generateKey' | 'now'> &
  DatabaseOptions & {
    /** Milliseconds that the opening waits for a database that does not answer. */
    readonly waitForDatabase: number
    /** Whether the opening runs the migrations that are due; if not, it refuses a database that needs one. */
    readonly migrates: boolean
    /** Called with the digest key before the opening migrates or seals anything; a refusal ends the opening. */
    readonly admit?: (instances: Instances, digestKey: string) => TE.TaskEither<StoreRefusal, unknown>
    /** Called when the opening fails, before it closes the database: takes back what `admit` has announced. */
    readonly withdraw?: Task<unknown> | undefined
  }

export const openStoreBy =
  (migrations: Migrations) =>
  (options: StoreOptions): TE.TaskEither<StoreRefusal, Store> =>
    refusing(async () => {
      const { encryption, now, migrates, admit = () => TE.right(undefined), withdraw } = options
      const db = await openDatabase(options)
      try {
        const { guarded, instances } = guardWrites(db, lastOf(migrations))
        const toPresentSchema = (): Promise<unknown> =>
          migrates ? migrate(db, migrations, options) : requireMigrated(db, migrations)
        const { found } = await readSchema(db, migrations)
        if (!migrates || found === undefined) await toPresentSchema()
        // Every schema has what is asked before: who cannot open the store, or may not run beside the others, migrates nothing.
        const beforeSealing = (digestKey: string) =>
          pipe(
            admit(instances, digestKey),
            TE.tap(() => refusing(toPresentSchema)),
          )
        const digestKey = await digestKeyOf(db.name, db, unusable(db.name), { ...options, beforeSealing })
        return {
          ...storeOn(guarded, encryption, digestKey, { now }),
          instances,
          check: checkWritable(db),
          close: () => db.close(),
        }
      } catch (error) {
        await withdraw?.()
        await db.close()
        throw error
      }
    })

/** Opens the store of the database, and creates it where the database is empty; or returns a refusal for people. */
export const openStore = openStoreBy(migrations)

/** What was removed, and the clients that stay. */
export type AfterRestoration = { readonly clients: number; readonly forgotten: Forgotten }

const Counted = t.type({ rows: t.number })

const countedBy = async (query: Query, text: string): Promise<number> => {
  const [row] = await query({ name: '', text, maxDuration })
  return Counted.is(row) ? row.rows : 0
}

// A service never sees a part of it. Running it again removes nothing more.
const removal = async (query: Query): Promise<E.Either<never, AfterRestoration>> => {
  await query(liftLimits)
  const counts = new Map<string, number>()
  for (const table of forgottenTables) {
    const remove = `WITH removed AS (DELETE FROM ${table} RETURNING 1) SELECT count(*) AS rows FROM removed`
    counts.set(table, await countedBy(query, remove))
  }
  const clients = await countedBy(query, 'SELECT count(*) AS rows FROM clients')
  return E.right({ clients, forgotten: forgottenBy((table) => counts.get(table) ?? 0) })
}

/**
 * After pg_restore: removes what may have been spent, ended, revoked or withdrawn since the backup, in one transaction; refused
 * while an instance runs on the database.
 */
export const forgetSinceBackup = (options: OpeningOptions): TE.TaskEither<StoreRefusal, AfterRestoration> =>
  onDatabase(options, async (db) => {
    const { length } = await instancesOn(db)
    if (length > 0)
      refuse(
        'in-use',
        `instances run on ${db.name} (${length}): stop them first (clientele instances list); one that was killed, or that ` +
          'the backup brought back, is forgotten within minutes. Nothing was changed',
      )
    return orRefuse(pipe(db.transaction(removal), TE.flatMapEither(identity)), unusable(db.name))
  })
