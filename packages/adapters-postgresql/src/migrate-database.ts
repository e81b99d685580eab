import type { StoreRefusal } from '@clientele/domain'
import { storeRefusal } from '@clientele/stored-rows'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Database, type DatabaseOptions, createDatabase } from './database.js'
import { type Migrated, migrate } from './migrations/migrate.js'
import { type Migrations, migrations } from './migrations/migrations.js'
import { requireDurable } from './server-settings.js'

export type MigrationOptions = DatabaseOptions & {
  /** Milliseconds to wait for a database that does not answer. */
  readonly waitForDatabase: number
}

const notUrl = storeRefusal(
  'unusable',
  'the URL of the database is not valid: postgresql://USER:PASSWORD@HOST/DATABASE',
)

const isDatabaseUrl = (url: string): boolean => URL.canParse(url) && /^postgres(ql)?:/.test(url)

/** Waits for the database; refuses a URL that is none, and a database that would lose answered writes. */
export const openDatabase = (options: MigrationOptions): TE.TaskEither<StoreRefusal, Database> => {
  if (!isDatabaseUrl(options.url)) return TE.left(notUrl)
  const db = createDatabase(options)
  return pipe(
    requireDurable(db, options.waitForDatabase),
    TE.map(() => db),
    TE.tapError(() => TE.fromTask(() => db.close())),
  )
}

export const migrateDatabaseBy =
  (migrations: Migrations) =>
  (options: MigrationOptions): TE.TaskEither<StoreRefusal, Migrated> =>
    pipe(
      openDatabase(options),
      TE.flatMap((db) => async () => {
        const migrated = await migrate(db, migrations, options)()
        await db.close()
        return migrated
      }),
    )

/** Runs the migrations that are due, and creates the tables in an empty database; nothing due is success. */
export const migrateDatabase = migrateDatabaseBy(migrations)
