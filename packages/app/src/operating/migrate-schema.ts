import type { Migrated } from '@clientele/adapters-postgresql'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Config } from '../config/settings.js'
import { migratePostgresql } from '../data/open-postgresql.js'

const waitForDatabase = 30_000

// The one service that has a SQLite database migrates it when it starts, and keeps it locked while it runs.
const onSqlite =
  'database-url names a SQLite database, which the service migrates when it starts: start the service, or name a database of PostgreSQL'

/** Runs the migrations that are due on the database of the settings; a refusal is one line for the operator. */
export const migrateSchema = (config: Config): TE.TaskEither<string, Migrated> => {
  const url = config['database-url']
  return url.scheme === 'sqlite'
    ? TE.left(onSqlite)
    : pipe(
        migratePostgresql(config, url, waitForDatabase),
        TE.mapLeft(({ message }) => message),
      )
}
