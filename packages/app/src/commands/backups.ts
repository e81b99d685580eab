// clientele backup and clientele restore: one file that holds the whole database.
import type { BackupContents, BackupReport, Restored } from '@clientele/adapters-sqlite'
import * as E from 'fp-ts/lib/Either.js'
import { counted } from '../observing/counted.js'
import { printable, printableDocument } from '../observing/printable.js'
import { checkBackup, makeBackup, restoreFrom } from '../operating/operate-backups.js'
import { json, type Command } from './command.js'
import { refuse, show } from './show.js'
import { withSettings } from './with-settings.js'

const backupText = ({ file, bytes, clients, schema }: BackupReport): string =>
  [
    `${printable(file)}: ${counted(clients, 'client', 'clients')}, ${bytes} bytes, schema ${schema}, verified`,
    'It is of no use without the encryption key, which is not in it: store the key elsewhere',
  ].join('\n')

const backup = withSettings(({ config }, terminal, { operand = '', switches }) =>
  show(terminal, makeBackup(config, operand), switches.includes('json') ? printableDocument : backupText),
)

const contentsText = (file: string, { clients, sealed_otherwise }: BackupContents): ReadonlyArray<string> => [
  `${printable(file)} is whole, and the keys open all of it: ${counted(clients, 'client', 'clients')}`,
  ...(sealed_otherwise === 0
    ? []
    : [
        `${sealed_otherwise} values are sealed with an earlier key: keep it until clientele encryption-key rotate has run`,
      ]),
]

/** What a restoration leaves out, and what it brings back. */
export const lossText = ({ forgotten }: Pick<BackupContents, 'forgotten'>): ReadonlyArray<string> => [
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
