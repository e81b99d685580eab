// clientele backup and clientele restore: one file that holds the whole database.
import { type BackupContents, type BackupReport, type Restored, type RestoreOptions, backUp, restoreBackup, verifyBackup } from '@clientele/adapters-sqlite'
import { createEncryption } from '@clientele/adapters-jose/node'
import type { AfterRestoration, Migrated } from '@clientele/adapters-postgresql'
import type { StoreRefusal } from '@clientele/domain/ports'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { pipe } from 'fp-ts/lib/function.js'
import { resolve } from 'node:path'
import { type DataFiles, dataFiles } from '../config/database.js'
import type { Config } from '../config/settings.js'
import { findDatabase, makeDirectories } from '../data/data-directory.js'
import { readEncryptionKeys } from '../data/first-run.js'
import { forgetOnPostgresql, migratePostgresql } from '../data/open-data.js'
import { counted, printableDocument, printable } from '../text.js'
import { type Command, json } from './command.js'
import { show, refuse } from './show.js'
import { answering, withSettings } from './with-settings.js'

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
const makeBackup = (config: Config, file: string): Done<BackupReport> =>
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
const checkBackup = (config: Config, backup: string): Done<BackupContents> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(verifyBackup(options), TE.mapLeft(message))),
  )

const stopIt = ({ refusal, message: text }: StoreRefusal): string =>
  refusal === 'in-use' ? `${text}; nothing was changed` : text

/** Verifies the backup, and puts it in the place of the database. */
const restoreFrom = (config: Config, backup: string, at: Date): Done<Restored> =>
  pipe(
    optionsOf(config, backup),
    TE.flatMap((options) => pipe(restoreBackup(options, at), TE.mapLeft(stopIt))),
  )

const restoredWhole =
  'database-url names a SQLite database: clientele restore FILE removes this itself, and restore FILE --verify says what'

/** After pg_restore: removes what may have been spent, ended, revoked or withdrawn since the backup. */
const concludeRestoration = (config: Config): Done<AfterRestoration> => {
  const url = config['database-url']
  return url.scheme === 'sqlite' ? TE.left(restoredWhole) : pipe(forgetOnPostgresql(config, url), TE.mapLeft(message))
}

const waitForDatabase = 30_000

// The one service that has a SQLite database migrates it when it starts, and keeps it locked while it runs.
const migratedAtStart =
  'database-url names a SQLite database, which the service migrates when it starts: start the service, or name a database of PostgreSQL'

/** Runs the migrations that are due on the database of the settings; a refusal is one line for the operator. */
const migrateSchema = (config: Config): TE.TaskEither<string, Migrated> => {
  const url = config['database-url']
  return url.scheme === 'sqlite'
    ? TE.left(migratedAtStart)
    : pipe(
        migratePostgresql(config, url, waitForDatabase),
        TE.mapLeft(({ message }) => message),
      )
}

const migratedText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `The database has schema ${to}; nothing was due` : `Migrated from schema ${from} to schema ${to}`

const migrate = answering(migrateSchema, migratedText)

const concludedText = (concluded: AfterRestoration): string =>
  [
    `The database has ${counted(concluded.clients, 'client', 'clients')}`,
    ...lossText(concluded),
    'Removed: start the service',
  ].join('\n')

const restored = answering(concludeRestoration, concludedText)

export const databaseCommands: ReadonlyArray<Command> = [
  {
    name: 'database migrate',
    summary: 'bring the tables of PostgreSQL to the schema of this version, beside running instances',
    details: 'Nothing due is success. For database-migrate=check, with which no start changes the schema.',
    options: [json],
    example: 'clientele database migrate',
    run: migrate,
  },
  {
    name: 'database restored',
    summary: 'after pg_restore, remove from PostgreSQL what may have been spent since the backup',
    details:
      'Before an instance starts: it is refused while one runs. Initial access tokens, operator tokens, sessions, tokens, grants and ' +
      'consents are removed in one transaction; clients and keys stay.',
    options: [json],
    example: 'clientele database restored',
    run: restored,
  },
]

const backupText = ({ file, bytes, clients, schema }: BackupReport): string =>
  [
    `${printable(file)}: ${counted(clients, 'client', 'clients')}, ${bytes} bytes, schema ${schema}, verified`,
    'It is of no use without the encryption key, which is not in it: store the key elsewhere',
  ].join('\n')

const backup = answering((config, { operand = '' }) => makeBackup(config, operand), backupText)

const contentsText = (file: string, { clients, sealed_otherwise }: BackupContents): ReadonlyArray<string> => [
  `${printable(file)} is whole, and the keys open all of it: ${counted(clients, 'client', 'clients')}`,
  ...(sealed_otherwise === 0
    ? []
    : [
        `${sealed_otherwise} values are sealed with an earlier key: keep it until clientele encryption-key rotate has run`,
      ]),
]

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

const restoredText = (file: string, restored: Restored): string =>
  [
    ...contentsText(file, restored),
    ...lossText(restored),
    ...(restored.replaced === undefined ? [] : [`The earlier database is ${printable(restored.replaced)}`]),
    'Restored: start the service',
  ].join('\n')

const restore = withSettings(async ({ config }, terminal, { operand = '', switches }) => {
  const asJson = switches.includes('json')
  if (switches.includes('verify'))
    return show(terminal, checkBackup(config, operand), (contents) =>
      asJson ? printableDocument(contents) : contentsText(operand, contents).join('\n'),
    )
  if (!switches.includes('yes')) {
    const contents = await checkBackup(config, operand)()
    if (E.isLeft(contents)) return refuse(terminal, contents.left, 1)
    terminal.errors.write(`${[...contentsText(operand, contents.right), ...lossText(contents.right)].join('\n')}\n`)
    if ((await terminal.ask('Replace the database now? Type yes: ')).trim() !== 'yes')
      return refuse(terminal, 'nothing was done', 1)
  }
  return show(terminal, restoreFrom(config, operand, new Date()), (restored) =>
    asJson ? printableDocument(restored) : restoredText(operand, restored),
  )
})

export const backupCommands: ReadonlyArray<Command> = [
  {
    name: 'backup',
    summary: 'write the SQLite database to a new file, while the service runs',
    details: 'The file has mode 0600 and is verified. With PostgreSQL, the command of pg_dump is shown.',
    operand: { name: 'FILE', description: 'a file that does not exist yet' },
    options: [json],
    example: 'clientele backup /var/backups/clientele-monday.db',
    run: backup,
  },
  {
    name: 'restore',
    summary: 'put a backup in the place of the database; asks before, and is refused while a service runs',
    details:
      'The backup is verified as a whole before: that it is sound, and that the encryption keys open every value. ' +
      'Initial access tokens, operator tokens, sessions, tokens, grants and consents are not restored. The earlier database stays beside it.',
    operand: { name: 'FILE', description: 'a file of clientele backup, or a copy of the database' },
    options: [
      { name: 'verify', description: 'only verify the backup, also beside a running service' },
      { name: 'yes', description: 'do not ask' },
      json,
    ],
    example: 'clientele restore /var/backups/clientele-monday.db --verify',
    run: restore,
  },
]
