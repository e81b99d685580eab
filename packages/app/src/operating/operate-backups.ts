// Backup and restoration of a SQLite database, by the process of the command: a running service does not notice a backup.
import {
  type BackupContents,
  type BackupReport,
  type Restored,
  type RestoreOptions,
  backUp,
  restoreBackup,
  verifyBackup,
} from '@clientele/adapters-sqlite'
import { createEncryption } from '@clientele/adapters-jose/node'
import type { AfterRestoration } from '@clientele/adapters-postgresql'
import type { StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { resolve } from 'node:path'
import { type DataFiles, dataFiles } from '../config/data-files.js'
import type { Config } from '../config/settings.js'
import { findDatabase, makeDirectories } from '../data/data-directory.js'
import { readEncryptionKeys } from '../data/first-run.js'
import { forgetOnPostgresql } from '../data/open-postgresql.js'

type Done<A> = TE.TaskEither<string, A>

const quoted = (path: string): string => `'${path.replaceAll("'", String.raw`'\''`)}'`

const dumpText = (file: string): string =>
  'database-url names a database of PostgreSQL, which its own program backs up:\n' +
  `pg_dump --format=custom --exclude-table-data=provider_events --exclude-table-data=instances --file=${quoted(file)} "$CLIENTELE_DATABASE_URL"`

const restoreText = (file: string): string =>
  'database-url names a database of PostgreSQL, which its own program restores, while no instance runs:\n' +
  `pg_restore --exit-on-error --no-owner --dbname="$CLIENTELE_DATABASE_URL" ${quoted(file)}\n` +
  'Then remove what may have been spent since, before an instance starts:\nclientele database restored'

const filesOf = (config: Config, otherwise: string): E.Either<string, DataFiles> =>
  E.fromNullable(otherwise)(dataFiles(config))

const message = ({ message: text }: StoreRefusal): string => text

/** Writes the database as it is now to a new file. */
export const makeBackup = (config: Config, file: string): Done<BackupReport> =>
  pipe(
    filesOf(config, dumpText(file)),
    E.tap(findDatabase),
    TE.fromEither,
    TE.flatMap(({ database }) => pipe(backUp(database, resolve(file)), TE.mapLeft(message))),
  )

const optionsOf = (config: Config, backup: string): Done<RestoreOptions> =>
  pipe(
    filesOf(config, restoreText(backup)),
    E.tap(makeDirectories),
    E.bindTo('files'),
    E.bind('keys', ({ files }) => readEncryptionKeys(config, files)),
    E.flatMap(({ files, keys: [first, ...others] }) =>
      first === undefined
        ? E.left('encryption-key must hold a key')
        : E.right({ backup: resolve(backup), file: files.database, encryption: createEncryption(first, others) }),
    ),
    TE.fromEither,
  )

/** Verifies that the backup is whole and that the keys open it. */
export const checkBackup = (config: Config, backup: string): Done<BackupContents> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(verifyBackup(options), TE.mapLeft(message))),
  )

const stopIt = ({ refusal, message: text }: StoreRefusal): string =>
  refusal === 'in-use' ? `${text}; nothing was changed` : text

/** Verifies the backup, and puts it in the place of the database. */
export const restoreFrom = (config: Config, backup: string, at: Date): Done<Restored> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(restoreBackup(options, at), TE.mapLeft(stopIt))),
  )

const onSqlite =
  'database-url names a SQLite database: clientele restore FILE removes this itself, and restore FILE --verify says what'

/** After pg_restore: removes what may have been spent, ended, revoked or withdrawn since the backup. */
export const concludeRestoration = (config: Config): Done<AfterRestoration> => {
  const url = config['database-url']
  return url.scheme === 'sqlite' ? TE.left(onSqlite) : pipe(forgetOnPostgresql(config, url), TE.mapLeft(message))
}
