import type { AfterRestoration, Migrated } from '@clientele/adapters-postgresql'
import type { AnnouncedInstance } from '@clientele/domain/instances'
import type { Instances, StoreOpener, StoreRefusal } from '@clientele/domain/ports'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import type { PostgresqlUrl } from '../config/database.js'
import { errorReason } from '../config/files.js'

// A start on SQLite does not load the driver.
const loadAdapter = TE.tryCatch(
  () => import('@clientele/adapters-postgresql'),
  (error): StoreRefusal => ({
    refusal: 'unusable',
    message: `the adapter of PostgreSQL cannot be loaded (${errorReason(error)}): install the service again`,
  }),
)

export type PostgresqlOptions = {
  /** Milliseconds that the opening waits for the database. */
  readonly waitForDatabase: number
  /** Whether the opening may change the schema. */
  readonly migrates: boolean
  /** Called with the digest key before the opening seals anything; a refusal ends the opening. */
  readonly admit: (instances: Instances, digestKey: string) => TE.TaskEither<StoreRefusal, unknown>
  /** Called when the opening fails, before it closes the database: takes back what `admit` has announced. */
  readonly withdraw?: T.Task<unknown> | undefined
}

const connectionOptions = (config: Config, { url }: PostgresqlUrl) => ({
  url,
  maxConnections: config['database-max-connections'],
  preparedStatements: config['database-prepared-statements'],
  tls: config['database-tls'],
})

/** Opens a database of PostgreSQL. */
export const openPostgresql =
  (config: Config, url: PostgresqlUrl, options: PostgresqlOptions): StoreOpener =>
  ({ encryption, generateKey, now }) =>
    pipe(
      loadAdapter,
      TE.flatMap(({ openStore }) =>
        openStore({ ...options, ...connectionOptions(config, url), encryption, generateKey, now }),
      ),
    )

/** The running instances, without waiting for the database; the encryption keys are not used. */
export const listPostgresqlInstances = (
  config: Config,
  url: PostgresqlUrl,
): TE.TaskEither<StoreRefusal, ReadonlyArray<AnnouncedInstance>> =>
  pipe(
    loadAdapter,
    TE.flatMap(({ listInstances }) => listInstances({ ...connectionOptions(config, url), waitForDatabase: 0 })),
  )

/** Runs the migrations that are due. */
export const migratePostgresql = (
  config: Config,
  url: PostgresqlUrl,
  waitForDatabase: number,
): TE.TaskEither<StoreRefusal, Migrated> =>
  pipe(
    loadAdapter,
    TE.flatMap(({ migrateDatabase }) => migrateDatabase({ ...connectionOptions(config, url), waitForDatabase })),
  )

/** Removes what may have been spent, ended, revoked or withdrawn since the backup that was restored. */
export const forgetOnPostgresql = (config: Config, url: PostgresqlUrl): TE.TaskEither<StoreRefusal, AfterRestoration> =>
  pipe(
    loadAdapter,
    TE.flatMap(({ forgetSinceBackup }) => forgetSinceBackup({ ...connectionOptions(config, url), waitForDatabase: 0 })),
  )
