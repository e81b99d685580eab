import type { Instances, Store, StoreNeeds, StoreRefusal } from '@clientele/domain/ports'
import { digestKeyOf, storeOn } from '@clientele/adapters-sql'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Database, DatabaseOptions } from './database.js'
import { unusable } from './failures.js'
import { createInstances, guardWrites } from './instances.js'
import { lastOf, migrate, requireMigrated } from './migrate.js'
import { checkWritable, openDatabase } from './open-database.js'
import { type Migrations, migrations } from './schema.js'

export type StoreOptions = Pick<StoreNeeds, 'encryption' | 'generateKey' | 'now'> &
  DatabaseOptions & {
    /** Milliseconds that the opening waits for a database that does not answer. */
    readonly waitForDatabase: number
    /** Whether the opening runs the migrations that are due; if not, it refuses a database that needs one. */
    readonly migrates: boolean
    /** Called with the digest key before the opening seals anything; a refusal ends the opening. */
    readonly admit?: (instances: Instances, digestKey: string) => TE.TaskEither<StoreRefusal, unknown>
    /** Called when the opening fails, before it closes the database: takes back what `admit` has announced. */
    readonly withdraw?: T.Task<unknown> | undefined
  }

const prepareSchema = (
  db: Database,
  migrations: Migrations,
  options: StoreOptions,
): TE.TaskEither<StoreRefusal, unknown> =>
  options.migrates ? migrate(db, migrations, options) : requireMigrated(db, migrations)

/** The digest key, for an admitted process. */
const findDigestKey = (
  db: Database,
  instances: Instances,
  { admit, ...options }: StoreOptions,
): TE.TaskEither<StoreRefusal, string> => {
  const beforeSealing = admit === undefined ? undefined : (digestKey: string) => admit(instances, digestKey)
  return digestKeyOf(db.name, db, unusable(db.name), { ...options, beforeSealing })
}

const nothing: T.Task<void> = () => Promise.resolve()

export const openStoreBy =
  (migrations: Migrations) =>
  (options: StoreOptions): TE.TaskEither<StoreRefusal, Store> =>
    pipe(
      openDatabase(options),
      TE.flatMap((db) => {
        const { guarded, look } = guardWrites(db, lastOf(migrations))
        const instances = createInstances(db, look)
        return pipe(
          prepareSchema(db, migrations, options),
          TE.flatMap(() => findDigestKey(db, instances, options)),
          TE.map((digestKey): Store => ({
            ...storeOn(guarded, options.encryption, digestKey, { now: options.now }),
            instances,
            check: checkWritable(db),
            close: () => db.close(),
          })),
          TE.tapError(() => TE.fromTask(options.withdraw ?? nothing)),
          TE.tapError(() => TE.fromTask(() => db.close())),
        )
      }),
    )

/** Opens the store of the database, and creates it where the database is empty; or returns a refusal for people. */
export const openStore = openStoreBy(migrations)
