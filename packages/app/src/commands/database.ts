// clientele database migrate and restored: what is done on PostgreSQL apart from a start of the service.
import type { AfterRestoration } from '@clientele/adapters-postgresql'
import { counted } from '../observing/counted.js'
import { concludeRestoration } from '../operating/operate-backups.js'
import { migrateSchema } from '../operating/migrate-schema.js'
import { lossText } from './backups.js'
import { json, type Command } from './command.js'
import { printableDocument } from '../observing/printable.js'
import { show } from './show.js'
import { withSettings } from './with-settings.js'

const migratedText = ({ from, to }: { readonly from: number; readonly to: number }): string =>
  from === to ? `The database has schema ${to}; nothing was due` : `Migrated from schema ${from} to schema ${to}`

const migrate = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, migrateSchema(config), switches.includes('json') ? printableDocument : migratedText),
)

const concludedText = (concluded: AfterRestoration): string =>
  [
    `The database has ${counted(concluded.clients, 'client', 'clients')}`,
    ...lossText(concluded),
    'Removed: start the service',
  ].join('\n')

const restored = withSettings(({ config }, terminal, { switches }) =>
  show(terminal, concludeRestoration(config), switches.includes('json') ? printableDocument : concludedText),
)

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
