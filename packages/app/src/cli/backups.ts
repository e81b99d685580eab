// clientele backup, restore and database …: one file that holds the whole database, and what PostgreSQL does by programs of
// its own.
import {
  type BackupContents,
  type Restored,
  type RestoreOptions,
  backUp,
  restoreBackup,
  verifyBackup,
} from '@clientele/adapters-sqlite'
import { createEncryption } from '@clientele/adapters-jose/node'
import type { StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { resolve } from 'node:path'
import { type DataFiles, dataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { findDatabase, makeDirectories } from '../data/data-directory.js'
import { readEncryptionKeys } from '../data/first-run.js'
import { askPostgresql } from '../data/open-data.js'
import { counted, printable, shellWord } from '../text.js'
import { type Command, agreed, answering, json, lines } from './command.js'

const dumpText = (file: string): string =>
  'database-url names a database of PostgreSQL, which its own program backs up:\n' +
  `pg_dump --format=custom --exclude-table-data=provider_events --exclude-table-data=instances --file=${shellWord(file)} "$CLIENTELE_DATABASE_URL"`

const restoreText = (file: string): string =>
  'database-url names a database of PostgreSQL, which its own program restores, while no instance runs:\n' +
  `pg_restore --exit-on-error --no-owner --dbname="$CLIENTELE_DATABASE_URL" ${shellWord(file)}\n` +
  'Then remove what may have been spent since, before an instance starts:\nclientele database restored'

const filesOf = (config: Config, otherwise: string): E.Either<string, DataFiles> =>
  E.fromNullable(otherwise)(dataFiles(config))

const message = ({ message: text }: StoreRefusal): string => text

const optionsOf = (config: Config, backup: string): TE.TaskEither<string, RestoreOptions> =>
  pipe(
    filesOf(config, restoreText(backup)),
    E.tap(makeDirectories),
    E.bindTo('files'),
    E.bind('keys', ({ files }) => readEncryptionKeys(config, files)),
    E.map(({ files, keys: [first, ...others] }) => ({
      backup: resolve(backup),
      file: files.database,
      encryption: createEncryption(first, others),
    })),
    TE.fromEither,
  )

/** Verifies that the backup is whole and that the keys open it. */
const checkBackup = (config: Config, backup: string): TE.TaskEither<string, BackupContents> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(verifyBackup(options), TE.mapLeft(message))),
  )

const stopIt = ({ refusal, message: text }: StoreRefusal): string =>
  refusal === 'in-use' ? `${text}; nothing was changed` : text

/** Verifies the backup, and puts it in the place of the database. */
const restoreFrom = (config: Config, backup: string): TE.TaskEither<string, Restored> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(restoreBackup(options, new Date()), TE.mapLeft(stopIt))),
  )

const contentsText = (file: string, { clients, sealed_otherwise }: BackupContents): string =>
  lines(
    `${printable(file)} is whole, and the keys open all of it: ${counted(clients, 'client', 'clients')}`,
    sealed_otherwise > 0 &&
      `${sealed_otherwise} values are sealed with an earlier key: keep it until clientele encryption-key rotate has run`,
  )

/** What a restoration leaves out, and what it brings back. */
const lossText = ({ forgotten }: Pick<BackupContents, 'forgotten'>): ReadonlyArray<string> => [
  'Not restored, because what was spent, ended, revoked or withdrawn since is not known:',
  `  initial access tokens: ${forgotten.initial_access_tokens}. Issue new ones`,
  `  operator tokens: ${forgotten.operator_tokens}. Issue new ones`,
  `  end-user sessions: ${forgotten.end_user_sessions}. End-users sign in again`,
  `  codes, tokens and grants: ${forgotten.artefacts + forgotten.authorizations}. Applications ask again`,
  `  consents: ${forgotten.consents}. End-users are asked again`,
  `  days on which uses were recorded: ${forgotten.observed_days}. Unused clients begin to wait anew`,
  'Back as they were at the time of the backup, whatever was done since:',
  '  clients, with their credentials of that time. clientele clients delete, suspend or renew does it again',
  '  keys of the provider. clientele keys compromise takes out those that were taken out since',
]

export const backupCommands: ReadonlyArray<Command> = [
  {
    name: 'backup',
    summary: 'write the SQLite database to a new file, while the service runs',
    details:
      'The file has mode 0600, and the command verifies it. With PostgreSQL, it shows the command of pg_dump instead.',
    operand: { name: 'FILE', description: 'a file that does not exist yet' },
    options: [json],
    example: 'clientele backup /var/backups/clientele-monday.db',
    run: answering(
      (config, { operand: file = '' }) =>
        pipe(
          filesOf(config, dumpText(file)),
          E.tap(findDatabase),
          TE.fromEither,
          TE.flatMap(({ database }) => pipe(backUp(database, resolve(file)), TE.mapLeft(message))),
        ),
      ({ file, bytes, clients, schema }) =>
        lines(
          `${printable(file)}: ${counted(clients, 'client', 'clients')}, ${bytes} bytes, schema ${schema}, verified`,
          'It is of no use without the encryption key, which is not in it: store the key elsewhere',
        ),
    ),
  },
  {
    name: 'restore',
    summary: 'put a backup in the place of the database; asks first, and refuses while a service runs',
    details:
      'The command first verifies that the whole backup is sound, and that the encryption keys open every value. ' +
      'Initial access tokens, operator tokens, sessions, tokens, grants and consents are not restored. The earlier database stays beside the restored one.',
    operand: { name: 'FILE', description: 'a file of clientele backup, or a copy of the database' },
    options: [
      { name: 'verify', description: 'only verify the backup, also beside a running service' },
      { name: 'yes', description: 'do not ask' },
      json,
    ],
    example: 'clientele restore /var/backups/clientele-monday.db --verify',
    run: answering(
      (config, invocation, terminal): TE.TaskEither<string, Restored> => {
        const { operand: file = '', switches } = invocation
        const checked = checkBackup(config, file)
        if (switches.includes('verify')) return checked
        const consequences = pipe(
          checked,
          TE.map((contents) => lines(contentsText(file, contents), lossText(contents))),
        )
        return pipe(
          agreed(terminal, invocation, consequences, 'Replace the database now?'),
          TE.flatMap(() => restoreFrom(config, file)),
        )
      },
      (restored, { operand: file = '', switches }) =>
        switches.includes('verify')
          ? contentsText(file, restored)
          : lines(
              contentsText(file, restored),
              lossText(restored),
              restored.replaced !== undefined && `The earlier database is ${printable(restored.replaced)}`,
              'Restored: start the service',
            ),
    ),
  },
]

const restoredWhole =
  'database-url names a SQLite database: clientele restore FILE removes this itself, and restore FILE --verify says what'

// The one service that has a SQLite database migrates it when it starts, and keeps it locked while it runs.
const migratedAtStart =
  'database-url names a SQLite database, which the service migrates when it starts: start the service, or name a database of PostgreSQL'

const waitForDatabase = 30_000

export const databaseCommands: ReadonlyArray<Command> = [
  {
    name: 'database migrate',
    summary: 'bring the tables of PostgreSQL to the schema of this version, beside running instances',
    details:
      'Run it where database-migrate is check, so that no start changes the schema. If no migration is due, the status is 0.',
    options: [json],
    example: 'clientele database migrate',
    run: answering(
      (config) =>
        askPostgresql(config, migratedAtStart, ({ migrateDatabase }, options) =>
          migrateDatabase({ ...options, waitForDatabase }),
        ),
      ({ from, to }) =>
        from === to ? `The database has schema ${to}; nothing was due` : `Migrated from schema ${from} to schema ${to}`,
    ),
  },
  {
    name: 'database restored',
    summary: 'after pg_restore, remove from PostgreSQL what may have been spent since the backup',
    details:
      'Run it before an instance starts: it refuses while one runs. Initial access tokens, operator tokens, sessions, tokens, grants and ' +
      'consents are removed in one transaction; clients and keys stay.',
    options: [json],
    example: 'clientele database restored',
    run: answering(
      (config) => askPostgresql(config, restoredWhole, ({ forgetSinceBackup }, options) => forgetSinceBackup(options)),
      (concluded) =>
        lines(
          `The database has ${counted(concluded.clients, 'client', 'clients')}`,
          lossText(concluded),
          'Removed: start the service',
        ),
    ),
  },
]
